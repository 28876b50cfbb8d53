/**
 * One document as this browser has it: the Y.Doc, the socket that keeps it in step with the
 * service, who else is there, and what is saved. It knows nothing of ProseMirror or React; the
 * editor and the chrome read its stores.
 */
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { fragmentName, schemaVersion } from '../../schema/document-schema.ts'
import { type Account, currentAccount } from '../api/account.ts'
import { createStore, type Readable } from '../store.ts'
import { eventSocketClass, type LiveEvent } from './event-socket.ts'

/** What the state line says; every word of it comes from the service's acknowledgements. */
export type SaveState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'offline'; readonly changes: number }
  | { readonly kind: 'reconnecting'; readonly changes: number }
  | { readonly kind: 'read-only'; readonly because: 'viewer' | 'commenter' | 'locked' }
  | { readonly kind: 'ended'; readonly because: 'archived' | 'deleted' | 'no-access' | 'reload' }

export type Role = 'owner' | 'editor' | 'commenter' | 'viewer'

/** The copy that is being edited. A copy that the service refused gives way to a fresh one. */
export interface Copy {
  readonly ydoc: Y.Doc
  readonly fragment: Y.XmlFragment
  readonly awareness: WebsocketProvider['awareness']
}

export interface DocumentSession {
  readonly slug: string
  readonly copy: Readable<Copy>
  readonly saveState: Readable<SaveState>
  /** This browser's part in the document; `undefined` until the service said it. */
  readonly role: Readable<Role | undefined>
  readonly account: Readable<Account | undefined>
  /** True once the service's copy has arrived. */
  readonly synced: Readable<boolean>
  onEvent(listener: (event: LiveEvent) => void): () => void
  close(): void
}

export function openSession(slug: string): DocumentSession {
  const ydoc = new Y.Doc()
  const account = createStore<Account | undefined>(undefined)
  const role = createStore<Role | undefined>(undefined)
  const synced = createStore(false)
  const saveState = createStore<SaveState>({ kind: 'loading' })
  const listeners = new Set<(event: LiveEvent) => void>()
  let sent = 0
  const settle = (saved: number) => {
    saveState.set(saved >= sent ? { kind: 'saved' } : { kind: 'saving' })
  }
  const onEvent = (event: LiveEvent) => {
    if (event.type === 'event' && event.event === 'saved') {
      settle((event.data as { updates: number }).updates)
    }
    for (const listener of [...listeners]) listener(event)
  }
  const provider = new WebsocketProvider(
    `${location.origin.replace(/^http/, 'ws')}/docs/${slug}`,
    'live',
    ydoc,
    {
      disableBc: true,
      params: { events: 'json', schema: String(schemaVersion) },
      WebSocketPolyfill: eventSocketClass({
        onOpen: () => {
          sent = 0
        },
        onEvent,
        onUpdateSent: (socket) => {
          sent = socket.updatesSent
          if (sent > 1) saveState.set({ kind: 'saving' })
        },
        onClosed: () => saveState.set({ kind: 'reconnecting', changes: 0 }),
      }),
    },
  )
  provider.on('sync', (isSynced: boolean) => {
    synced.set(isSynced)
    if (isSynced) saveState.set({ kind: 'saved' })
  })
  void currentAccount().then((found) => account.set(found))
  const copy = createStore<Copy>({
    ydoc,
    fragment: ydoc.getXmlFragment(fragmentName),
    awareness: provider.awareness,
  })
  return {
    slug,
    copy,
    saveState,
    role,
    account,
    synced,
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      provider.destroy()
      ydoc.destroy()
    },
  }
}
