/**
 * Gives a document that was begun without a network to the service, once that answers, and goes to
 * the page of the document that it became. What is typed meanwhile goes along. Loaded with a draft.
 */
import {
  addressOfNew,
  type CreatedDocument,
  createDocument,
  replaceDocument,
} from '../api/documents.ts'
import { ApiError, isPassing } from '../api/http.ts'
import { troubleWords } from '../api/trouble.ts'
import type { Editor } from '../editor/editor.ts'
import { OfflineCopies } from '../live/offline-copies.ts'
import type { DocumentSession } from '../live/session.ts'
import { readDraft, writeDraft } from '../platform/drafts.ts'
import { notify } from '../platform/notices.ts'
import { forgetDocument } from '../platform/recent-documents.ts'
import { rememberMade } from '../platform/this-browser.ts'
import { markdownOf } from './download.ts'
import { ensureAccount } from './ensure-account.ts'

const triesEveryMs = 4_000

/** Until the returned function is called. */
export function sendDraft(session: DocumentSession, editor: Editor): () => void {
  const leave = new AbortController()
  let isTrying = false
  const attempt = async () => {
    if (isTrying || leave.signal.aborted) return
    isTrying = true
    try {
      // Another tab may have the same draft.
      await navigator.locks.request(session.slug, () => give(session, editor))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!isPassing(error)) {
        leave.abort()
        notify(troubleWords(error), 'problem')
      }
    } finally {
      isTrying = false
    }
  }
  const timer = setInterval(attempt, triesEveryMs)
  leave.signal.addEventListener('abort', () => clearInterval(timer))
  addEventListener('online', attempt, { signal: leave.signal })
  void attempt()
  return () => leave.abort()
}

async function give(session: DocumentSession, { view }: Editor): Promise<void> {
  const { slug } = session
  const draft = readDraft(slug)
  if (draft.address !== undefined) return goTo(draft.address)
  await ensureAccount()
  let text = markdownOf(view.state.doc)
  const made = await createDocument(text, draft.target, await keyOf(slug, text))
  let { revision } = made
  while (markdownOf(view.state.doc) !== text) {
    text = markdownOf(view.state.doc)
    const replaced = await replaceDocument(made.id, { markdown: text, revision })
    revision = replaced.revision
  }
  await finish(session, { draft: { ...draft, address: addressOfNew(made) }, made })
}

interface Given {
  readonly draft: ReturnType<typeof readDraft>
  readonly made: CreatedDocument
}

async function finish(session: DocumentSession, { draft, made }: Given): Promise<void> {
  const { slug } = session
  writeDraft(slug, draft)
  forgetDocument(slug)
  rememberMade(made.id)
  session.close()
  await new OfflineCopies().drop({ slug, actor: draft.actor, epoch: 'draft' })
  goTo(draft.address ?? '/')
}

const goTo = (address: string): void => location.replace(address)

/** An answer that was lost makes no second document. */
async function keyOf(slug: string, text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(slug + text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
