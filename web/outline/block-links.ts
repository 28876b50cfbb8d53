/**
 * Addresses of blocks: `#` and the block's durable id, which stays whatever is edited around it or
 * in it. Of a deleted block the address leads to where it stood.
 */

import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { openingLink, pageAddress } from '../api/documents.ts'
import { ApiError, call } from '../api/http.ts'
import { troubleWords } from '../api/trouble.ts'
import type { DocumentSession } from '../live/session.ts'
import { copyText } from '../platform/clipboard.ts'
import { notify } from '../platform/notices.ts'

/** Copies an address of the block that whoever may open the document can open. */
export async function copyBlockLink(slug: string, id: string): Promise<void> {
  const text = addressOf(slug).then((address) => `${address}#${id}`)
  try {
    await copyText(text)
    notify('Link copied.')
  } catch (error) {
    notify(troubleWords(error), 'problem')
  }
}

/** Who may not hand out the short link gets the plain address. */
async function addressOf(slug: string): Promise<string> {
  try {
    return (await openingLink(slug)).url
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 412].includes(error.status)) {
      return pageAddress(slug)
    }
    throw error
  }
}

function positionOf({ state }: EditorView, id: string): number | undefined {
  let found: number | undefined
  state.doc.descendants((node, pos) => {
    if (node.attrs['id'] === id) found = pos
    return found === undefined && !node.inlineContent
  })
  return found
}

const shownMs = 1_600

/** Brings the block to the top of the window and lights it up; false: it is not there. */
export function showBlock(view: EditorView, id: string): boolean {
  const pos = positionOf(view, id)
  if (pos === undefined) return false
  const block = view.nodeDOM(pos)
  if (block instanceof HTMLElement) {
    block.scrollIntoView({ block: 'start', behavior: 'instant' })
    const light = { backgroundColor: 'var(--mark)' }
    block.animate([light, {}], { duration: shownMs, easing: 'ease-in' })
  }
  return true
}

/** The same with the caret at its end, for who goes on writing there. */
export function goToBlock(view: EditorView, id: string): void {
  if (!showBlock(view, id)) return
  const pos = positionOf(view, id) ?? 0
  const end = view.state.doc.resolve(pos + (view.state.doc.nodeAt(pos)?.nodeSize ?? 1) - 1)
  view.dispatch(view.state.tr.setSelection(TextSelection.near(end, -1)))
  view.focus()
}

/** Goes to the block of the page's address now, and whenever the address names another. */
export function followAddress(view: EditorView, session: DocumentSession): () => void {
  const leave = new AbortController()
  const go = async () => {
    const [id] = /^bid_[\w-]+$/.exec(location.hash.slice(1)) ?? []
    if (id === undefined || showBlock(view, id)) return
    const survivor = await survivorOf(session.slug, id).catch(() => undefined)
    if (leave.signal.aborted) return
    const isShown = survivor !== undefined && showBlock(view, survivor)
    notify(isShown ? 'The linked block was deleted. It was here.' : 'The linked block was deleted.')
  }
  const begin = () => {
    if (!session.hasArrived.get()) return
    stop()
    void go()
  }
  const stop = session.hasArrived.subscribe(begin)
  begin()
  addEventListener('hashchange', () => void go(), { signal: leave.signal })
  return () => {
    leave.abort()
    stop()
  }
}

async function survivorOf(slug: string, id: string): Promise<string | undefined> {
  const { tombstone } = await call('GET /docs/:slug/blocks/:bid', [], { slug, bid: id })
  return tombstone?.nearest_survivor_id ?? undefined
}
