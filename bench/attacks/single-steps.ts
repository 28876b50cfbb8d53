/**
 * Requests whose cost once grew faster than they are long, in one step that no budget sees; and
 * answers that are asked for and never read. Each is set up first, then sent in parallel.
 */
import { connect, type Socket } from 'node:net'
import type { Attack, Facts } from './order.ts'
import { type Answered, type Outlet, type Post, pause } from './outlet.ts'

interface Made {
  readonly slug: string
  readonly token: string
}

type Step = (outlet: Outlet) => Promise<readonly Answered[]>

async function made(outlet: Outlet, markdown: string): Promise<Made> {
  const { json, status } = await outlet.call({ method: 'POST', path: '/docs', body: { markdown } })
  if (status !== 201) throw new Error(`no document: ${status}`)
  const [slug, token] = [String(json['id']), String(json['access_token'])]
  const body = { display_name: 'Eve', slug }
  await outlet.call({ method: 'POST', path: '/agents/identify', token, body })
  return { slug, token }
}

const times = (count: number, outlet: Outlet, post: Post): Promise<Answered[]> =>
  Promise.all(Array.from({ length: count }, () => outlet.call(post)))

const patch = ({ slug, token }: Made, body: unknown): Post => ({
  method: 'PATCH',
  path: `/docs/${slug}`,
  token,
  body,
})

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n\n')

/** A needle that nearly stands everywhere in a run of `a`. */
const nearMiss = (length: number): string => `${'a'.repeat(length / 2)}b${'a'.repeat(length / 2)}`

export const steps: Readonly<Record<string, Step>> = {
  'front matter: 300 KB of blanks before a colon': async (outlet) => {
    const markdown = `---\na${' '.repeat(300_000)}:x\n---\n`
    return times(4, outlet, { method: 'POST', path: '/docs', body: { markdown } })
  },
  'front matter: YAML of 30,000 errors as OKF, 20 at once': async (outlet) => {
    const document = await made(outlet, `---\na: 1\n${'*\n'.repeat(30_000)}---\n\n# T\n`)
    const path = `/docs/${document.slug}?format=okf`
    return times(20, outlet, { method: 'GET', path, token: document.token })
  },
  'a new_block_quote of 60 KB that nearly stands everywhere': async (outlet) => {
    const document = await made(outlet, `doomed words\n\n${'a'.repeat(3_000_000)}\n`)
    const { slug, token } = document
    const comment = { quote: 'doomed words', text: 'x' }
    const path = `/docs/${slug}/comments`
    const { json } = await outlet.call({ method: 'POST', path, token, body: comment })
    const id = json['comment_id']
    const outcome = { id, action: 'remap', new_block_quote: nearMiss(60_000) }
    const edits = [{ old_string: 'doomed words\n\n', new_string: '' }]
    return times(2, outlet, patch(document, { edits, comment_outcomes: [outcome] }))
  },
  'place.words of 60 KB that nearly stand everywhere': async (outlet) => {
    const { slug, token } = await made(outlet, `${'a'.repeat(3_000_000)}\n`)
    const { json } = await outlet.call({ method: 'GET', path: `/docs/${slug}`, token })
    const [block] = json['content_blocks'] as { readonly id: string }[]
    const end = { block_id: block?.id, offset: 1_000_000 }
    const body = { text: 'x', place: { from: end, to: end, words: nearMiss(60_000) } }
    return times(4, outlet, { method: 'POST', path: `/docs/${slug}/comments`, token, body })
  },
  '`](<` × 100,000 in an edit': async (outlet) => {
    const document = await made(outlet, 'some words\n')
    const edits = [{ old_string: 'words', new_string: `*x ${'](<'.repeat(100_000)}` }]
    return times(1, outlet, patch(document, { edits }))
  },
  '6 MB of brackets without a credential, 10 at once': async (outlet) => {
    const body = JSON.parse(`[${'[],'.repeat(1_900_000)}0]`) as unknown
    return times(10, outlet, { method: 'POST', path: '/auth/logout', body })
  },
  'a block of a document whose 60,000 blocks were replaced': async (outlet) => {
    const document = await made(
      outlet,
      lines(60_000, (at) => `old ${at}`),
    )
    const whole = lines(60_000, (at) => `new ${at}`)
    await outlet.call(patch(document, { base_revision: 1, replace_document: whole }))
    const path = `/docs/${document.slug}/blocks/bid_none`
    return times(8, outlet, { method: 'GET', path, token: document.token })
  },
  'a code block of 3 MB replaced, and its diff': async (outlet) => {
    const code = (by: number) =>
      `\`\`\`\n${Array.from({ length: 300_000 }, (_, at) => `${(at * by) % 99_991} x`).join('\n')}\n\`\`\``
    const document = await made(outlet, code(7_919))
    const whole = { base_revision: 1, replace_document: code(6_007) }
    const edited = await outlet.call(patch(document, whole))
    const path = `/docs/${document.slug}/diff?from=1&to=2`
    const { token } = document
    return [edited, ...(await times(4, outlet, { method: 'GET', path, token }))]
  },
  'a paragraph of 50,000 equal words replaced, 8 times': async (outlet) => {
    const document = await made(outlet, 'begin\n')
    const answers: Answered[] = []
    for (let turn = 0; turn < 8; turn++) {
      const whole = `${turn} ${'word '.repeat(50_000)}${turn}`
      const body = { base_revision: turn + 1, replace_document: whole }
      answers.push(await outlet.call(patch(document, body)))
    }
    return answers
  },
  '380 reverts to a text of 2 MB': async (outlet) => {
    const document = await made(outlet, 'a '.repeat(1_000_000))
    await outlet.call(patch(document, { base_revision: 1, replace_document: 'short' }))
    const answers: Answered[] = []
    for (let at = 2; at < 380; at++) {
      const body = { revision: 1 + (at % 2), base_revision: at }
      const path = `/docs/${document.slug}/revert`
      const { token } = document
      const answered = await outlet.call({ method: 'POST', path, token, body })
      answers.push(answered)
      if (answered.status !== 200) break
    }
    return answers
  },
  'thirty connections with 400 requests for 1 MB each, nothing read': async (outlet) => {
    const { slug, token } = await made(outlet, 'words '.repeat(160_000))
    const head = `GET /docs/${slug}?format=okf HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const sockets = Array.from({ length: 30 }, () => unread(outlet, head.repeat(400)))
    await pause(15_000)
    for (const socket of sockets) socket.destroy()
    return []
  },
}

function unread({ port, from }: Outlet, sent: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {})
  socket.pause()
  socket.write(sent)
  return socket
}

export async function takeStep(outlet: Outlet, { step = '' }: Attack): Promise<Facts> {
  const answers = (await steps[step]?.(outlet)) ?? []
  const facts: Record<string, number> = {}
  for (const { status, ms } of answers) {
    facts[`status ${status}`] = (facts[`status ${status}`] ?? 0) + 1
    facts['longest ms'] = Math.max(facts['longest ms'] ?? 0, ms)
  }
  return facts
}
