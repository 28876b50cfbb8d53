/**
 * Company for a document on the stage: people with a name and an account, in a browser of their own
 * or (typists) with a live socket and no browser, and an agent's edits over REST.
 */
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import type { Stage, StageDocument } from './stage.ts'

/** A person of this name on the document, with the text in sight. */
export async function person(
  stage: Stage,
  sheet: StageDocument,
  name: string,
  options: Parameters<Stage['person']>[0] = {},
): Promise<Page> {
  const page = await stage.person(options)
  const headers = { Origin: stage.origin }
  await page.context().request.post('/auth/guest', { data: { name }, headers })
  await page.goto(sheet.shareAddress)
  await page.waitForSelector('#text[data-synced="true"] .text[contenteditable="true"]')
  return page
}

/** General access, as set by the owner, who is whoever opened the share address first. */
export async function setAccess(
  owner: Page,
  { slug }: StageDocument,
  role: string,
  mode: 'anyone' | 'restricted' = 'anyone',
): Promise<void> {
  const headers = { Origin: new URL(owner.url()).origin }
  // The page claims the document by itself, but when it will is its own affair.
  await owner.request.post(`/docs/${slug}/claim`, { headers })
  const data = { mode, role }
  const answer = await owner.request.patch(`/docs/${slug}/link-access`, { data, headers })
  if (!answer.ok()) throw new Error(`link-access: ${answer.status()} ${await answer.text()}`)
}

/** Replaces text over REST, as Quill. */
export function agentEdits(
  stage: Stage,
  { slug, token }: StageDocument,
  edits: readonly Readonly<Record<string, unknown>>[],
): Promise<unknown> {
  return stage.call('PATCH', `/docs/${slug}`, { token, body: { edits } })
}

/** Suggests this text in the place of the quote, as Quill; the id of the comment. */
export async function agentSuggests(
  stage: Stage,
  { slug, token }: StageDocument,
  [quote, text]: readonly [quote: string, text: string],
): Promise<string> {
  const body = { quote, suggestion: { new_string: text } }
  return String((await stage.call('POST', `/docs/${slug}/comments`, { token, body }))['comment_id'])
}

/** The cookies of a browser that came by the share address, with an account of this name. */
async function cookiesOf(stage: Stage, { shareAddress }: StageDocument, name: string) {
  const headers = { 'Content-Type': 'application/json', Origin: stage.origin }
  const body = JSON.stringify({ name })
  const answers = [
    await fetch(shareAddress, { redirect: 'manual' }),
    await fetch(`${stage.origin}/auth/guest`, { method: 'POST', headers, body }),
  ]
  const cookies = answers.flatMap((answer) => answer.headers.getSetCookie())
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')
}

/** A person with a stock client instead of a page. Stop it, or the process stays. */
export class Typist {
  readonly ydoc = new Y.Doc()
  readonly provider: WebsocketProvider

  private constructor({ origin }: Stage, { slug }: StageDocument, cookies: string) {
    const headers = { Cookie: cookies, Origin: origin }
    class BrowserSocket extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, { headers })
      }
    }
    this.provider = new WebsocketProvider(
      `${origin.replace('http', 'ws')}/docs/${slug}`,
      'live',
      this.ydoc,
      {
        disableBc: true,
        WebSocketPolyfill: BrowserSocket as unknown as typeof globalThis.WebSocket,
      },
    )
  }

  static async open(stage: Stage, sheet: StageDocument, name: string): Promise<Typist> {
    const typist = new Typist(stage, sheet, await cookiesOf(stage, sheet, name))
    typists.add(typist)
    await new Promise<void>((resolve) => typist.provider.once('sync', () => resolve()))
    return typist
  }

  /** Says of itself whatever it likes. */
  say(field: string, value: unknown): void {
    this.provider.awareness.setLocalStateField(field, value)
  }

  /** Puts the caret behind these words; with `from`, selects from behind those. */
  point(words: string, from = words): void {
    const place = (at: string) => Y.createRelativePositionFromTypeIndex(...this.#behind(at))
    this.provider.awareness.setLocalStateField('cursor', {
      anchor: place(from),
      head: place(words),
    })
  }

  type(words: string, added: string): void {
    const [text, index] = this.#behind(words)
    text.insert(index, added)
  }

  stop(): void {
    typists.delete(this)
    this.provider.destroy()
    this.ydoc.destroy()
  }

  #behind(words: string): [Y.XmlText, number] {
    for (const text of textsIn(this.ydoc.getXmlFragment('prosemirror'))) {
      const plain = text.toString().replace(/<[^>]*>/g, '')
      const at = plain.indexOf(words)
      if (at >= 0) return [text, at + words.length]
    }
    throw new Error(`no text with ${words}`)
  }
}

const typists = new Set<Typist>()

export function stopTypists(): void {
  for (const typist of typists) typist.stop()
}

function textsIn(parent: Y.XmlFragment): Y.XmlText[] {
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return [child]
    return child instanceof Y.XmlElement ? textsIn(child) : []
  })
}

/** A registered agent that came by the document's share link, so that it can be mentioned. */
export async function agentJoins(
  stage: Stage,
  { slug, shareAddress }: StageDocument,
  name: string,
): Promise<void> {
  const { agent_secret: secret } = await stage.call('POST', '/agents/register', { body: { name } })
  const token = new URL(shareAddress).searchParams.get('token')
  const body = { slug, token }
  await stage.call('POST', '/agents/me/join', { token: String(secret), body })
}
