/**
 * What a discussion costs a document: a megabyte with a thousand threads and ten thousand comments
 * beside the same without, in one process; then a thousand agents that wait for news.
 */
import { Agent, request } from 'node:http'
import { connectEditor, textOf } from './editor.ts'
import { Report, type Section } from './report.ts'
import { BenchService, type Created, jsonOf } from './service.ts'
import { digits, median, ms, times } from './stats.ts'
import { documentOf } from './text.ts'
import { Words } from './words.ts'

const blocks = 10_000
const threadsCount = 1_000
const commentsCount = 10_000
const agentsCount = 1_000
/** Requests that are made together. */
const atOnce = 16

interface Side {
  readonly document: Created
  readonly words: Words
}

interface Block {
  readonly id: string
  readonly markdown: string
}

/** Milliseconds by the clock, and of the service's processor time, a request. */
interface Spent {
  readonly waited: number
  readonly worked: number
}

const pause = (waitMs: number) => new Promise((resolve) => setTimeout(resolve, waitMs))

class Discussing {
  readonly service: BenchService
  readonly talked: Side
  readonly plain: Side
  readonly #paragraphs: readonly Block[]
  readonly #threads: string[] = []
  #said = 0

  private constructor(service: BenchService, sides: readonly [Side, Side], found: Block[]) {
    this.service = service
    ;[this.talked, this.plain] = sides
    this.#paragraphs = found
  }

  static async begin(service: BenchService): Promise<Discussing> {
    const side = async () => ({
      document: await service.create(documentOf(blocks)),
      words: new Words(blocks),
    })
    const sides = [await side(), await side()] as const
    const { path, owner } = sides[0].document
    const read = await service.must('GET', path, { token: owner.token })
    const { markdown, content_blocks: all } = jsonOf<{
      markdown: string
      content_blocks: { id: string | null; range: { from: number; to: number } }[]
    }>(read)
    const found = all.flatMap(({ id, range }) =>
      id === null ? [] : [{ id, markdown: markdown.slice(range.from, range.to) }],
    )
    const paragraphs = found.filter((block) => /^[a-z].* word\d+\.$/.test(block.markdown))
    return new Discussing(service, sides, paragraphs)
  }

  /** Words of a paragraph; every tenth of them is one in which words are edited. */
  #place(at: number) {
    const block = this.#paragraphs[(at * 7) % this.#paragraphs.length]
    if (block === undefined) throw new Error('no paragraphs')
    const [first = '', second = ''] = block.markdown.split(' ')
    const offset = first.length + 1
    const end = (to: number) => ({ block_id: block.id, offset: to })
    return { from: end(offset), to: end(offset + second.length), words: second }
  }

  /** A comment that opens a thread. */
  async open(): Promise<number> {
    const text = `Why is it so? ${'words '.repeat(12)}`
    const body = { place: this.#place(this.#threads.length), text }
    const answer = await this.#post('/comments', body)
    this.#threads.push(jsonOf<{ thread_id: string }>(answer).thread_id)
    return answer.ms
  }

  async reply(): Promise<number> {
    const thread = this.#threads[this.#said++ % this.#threads.length]
    const text = `Because of that. ${'words '.repeat(12)}`
    return (await this.#post('/comments', { thread_id: thread, text })).ms
  }

  #post(path: string, body: unknown) {
    const { document } = this.talked
    return this.service.must('POST', document.path + path, { token: document.owner.token, body })
  }

  async fill(): Promise<void> {
    while (this.#threads.length < threadsCount) await together(() => this.open())
    while (this.#said < commentsCount - threadsCount) await together(() => this.reply())
    await this.atRest()
  }

  async edit({ document, words }: Side): Promise<number> {
    const { path, owner } = document
    const body = { edits: [words.next()] }
    return (await this.service.must('PATCH', path, { token: owner.token, body })).ms
  }

  async read({ document: { path, owner } }: Pick<Side, 'document'>): Promise<number> {
    return (await this.service.must('GET', path, { token: owner.token })).ms
  }

  cpu(): Promise<number> {
    return this.service.process.ask<number>('cpu')
  }

  /** What was left to be delivered is. */
  async atRest(): Promise<void> {
    for (let before = await this.cpu(); ; ) {
      await pause(1_000)
      const now = await this.cpu()
      if (now - before < 100) return
      before = now
    }
  }

  /** Rounds of each act in turns, so that noise meets them alike. */
  async inTurns(rounds: number, acts: readonly (() => Promise<number>)[]): Promise<Spent[]> {
    const taken = acts.map(() => ({ waits: [] as number[], worked: 0 }))
    for (let round = -1; round < rounds; round++) {
      for (const [index, act] of acts.entries()) {
        const one = taken[index]
        const before = await this.cpu()
        for (let count = 0; count < 10; count++) {
          const waited = await act()
          if (round >= 0) one?.waits.push(waited)
        }
        if (one !== undefined && round >= 0) one.worked += (await this.cpu()) - before
      }
    }
    return taken.map(({ waits, worked }) => ({
      waited: median(waits),
      worked: worked / waits.length,
    }))
  }

  /** Processor time of one key typed into paragraphs that stand about everywhere. */
  async typing({ document }: Side, keys: number): Promise<number> {
    const { port } = this.service
    const editor = await connectEditor(port, document, document.owner.token)
    const before = await this.cpu()
    for (let key = 0; key < keys; key++) {
      // Block 1 of each twenty is a paragraph with words that are edited, and talked of.
      const text = textOf(editor.fragment, Math.floor(key / 20) * 140 + 1)
      text.insert(text.length, 'k')
      await pause(8)
    }
    const used = (await this.cpu()) - before
    editor.close()
    return used / keys
  }
}

const together = (act: () => Promise<number>) =>
  Promise.all(Array.from({ length: atOnce }, () => act()))

export async function measureDiscussion(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const service = await BenchService.start({ env: { BENCH_HOLDS: '1', RATE_INVITE: '0' } })
  try {
    const discussing = await Discussing.begin(service)
    await discussing.fill()
    await writes(report, discussing, isQuick ? 6 : 20)
    await keys(report, discussing, isQuick ? 200 : 600)
    await opens(report, discussing, isQuick ? 3 : 7)
    await waiting(report, discussing)
  } finally {
    await service.stop()
  }
  return {
    title: 'A discussion',
    how:
      `A document of 1 MB with ${digits(threadsCount)} threads and ${digits(commentsCount)} comments ` +
      'beside the same without, in one service process on LevelDB, over HTTP, durable: medians of ' +
      'the wait, then processor time of the service, all threads. What is compared is the latter. ' +
      'The answer of an edit has the text in it, that of a comment has not. Keys are typed by an ' +
      'editor into paragraphs that are talked of.',
    rows: report.rows,
  }
}

const medianOf = (spent: readonly Spent[]): Spent => ({
  waited: median(spent.map(({ waited }) => waited)),
  worked: median(spent.map(({ worked }) => worked)),
})

const both = ({ waited, worked }: Spent): string => `${ms(waited)}, ${ms(worked)}`

async function writes(report: Report, discussing: Discussing, rounds: number): Promise<void> {
  const { talked, plain } = discussing
  const taken = await discussing.inTurns(rounds, [
    () => discussing.edit(plain),
    () => discussing.edit(talked),
    () => discussing.open(),
    () => discussing.reply(),
    async () => {
      await discussing.reply()
      return discussing.read(talked)
    },
  ])
  const [without, edit, comment, reply, read] = taken as [Spent, Spent, Spent, Spent, Spent]
  report.note('one word replaced, without threads', both(without))
  report.note('one word replaced, with threads', both(edit))
  report.below('… by the same without', edit.worked / without.worked, { most: 1.5, write: times })
  report.note('a comment on words', both(comment))
  report.below('… its processor time', comment.worked, { most: 5, write: ms })
  report.below('… by one word replaced there', comment.worked / edit.worked, {
    most: 1.2,
    write: times,
  })
  report.note('a reply', both(reply))
  const first = { waited: read.waited, worked: read.worked - reply.worked }
  report.note('a plain read after each, with its page of threads', both(first))
  report.below('… its processor time', first.worked, { most: 20, write: ms })
}

async function keys(report: Report, discussing: Discussing, count: number): Promise<void> {
  const { talked, plain } = discussing
  const [without, beside]: [number[], number[]] = [[], []]
  // The first round is for the compiler.
  for (let round = -1; round < 5; round++) {
    const order = [plain, talked]
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const used = await discussing.typing(side, count / 5)
      if (round >= 0) (side === plain ? without : beside).push(used)
    }
  }
  const [alone, watched] = [median(without), median(beside)]
  report.note('a key without threads, with them', `${ms(alone)}, ${ms(watched)}`)
  report.below('… by the same without', watched / alone, { most: 1.3, write: times })
}

/** In a process that has opened nothing yet, and compiled what reads need. */
async function opens(report: Report, discussing: Discussing, rounds: number): Promise<void> {
  const { service, talked, plain } = discussing
  const small = await smallOne(service)
  const opened = new Map<Side, number[]>([plain, talked].map((side) => [side, []]))
  const read = new Map<Side, Spent[]>([plain, talked].map((side) => [side, []]))
  const afterStart: number[] = []
  for (let round = 0; round < rounds; round++) {
    await service.restart()
    afterStart.push(await discussing.read(talked))
    await service.restart()
    for (let turn = 0; turn < 30; turn++) await discussing.read(small)
    const order = round % 2 === 0 ? [plain, talked] : [talked, plain]
    for (const side of order) {
      const before = await discussing.cpu()
      const waited = await discussing.read(side)
      read.get(side)?.push({ waited, worked: (await discussing.cpu()) - before })
    }
    for (const side of order) {
      const before = await discussing.cpu()
      await discussing.edit(side)
      opened.get(side)?.push((await discussing.cpu()) - before)
    }
  }
  const first = medianOf(read.get(talked) ?? [])
  report.note('first read while closed, without threads', both(medianOf(read.get(plain) ?? [])))
  report.note('first read while closed, with threads', both(first))
  report.below('… its processor time', first.worked, { most: 20, write: ms })
  const [without, beside] = [median(opened.get(plain) ?? []), median(opened.get(talked) ?? [])]
  report.note('opened for an edit, without threads, with them', `${ms(without)}, ${ms(beside)}`)
  report.below('… by the same without', beside / without, { most: 1.5, write: times })
  report.note('the first read of all after a start, with threads', ms(median(afterStart)))
}

/** A short document in which something is said, to warm up with. */
async function smallOne(service: BenchService): Promise<Pick<Side, 'document'>> {
  const document = await service.create('# Small\n\nOne two three.\n')
  const { path, owner } = document
  for (let turn = 0; turn < 30; turn++) {
    const body = { quote: 'two', text: 'Why two?' }
    await service.must('POST', `${path}/comments`, { token: owner.token, body })
  }
  return { document }
}

/** Agents of the document, each waiting for news on a connection of its own. */
async function waiting(report: Report, discussing: Discussing): Promise<void> {
  const { service } = discussing
  const agents = await invited(discussing)
  await discussing.atRest()
  const idle = await restIn(discussing)
  const [alone] = await discussing.inTurns(2, [() => discussing.edit(discussing.plain)])
  const first = await waitersFor(service, agents)
  const quiet = await restIn(discussing)
  const [beside] = await discussing.inTurns(2, [() => discussing.edit(discussing.plain)])
  report.note('processor time of five seconds at rest', ms(idle))
  report.below('… while 1,000 agents wait', quiet, { most: idle + 50, write: ms })
  const [before, after] = [alone?.worked ?? 0, beside?.worked ?? 0]
  report.below('an edit while they wait, by one before', after / before, {
    most: 1.3,
    write: times,
  })
  first.agent.destroy()
  await Promise.allSettled(first.news)
  const { agent, news } = await waitersFor(service, agents)
  await service.hold()
  const started = await discussing.cpu()
  await discussing.open()
  const heard = await Promise.all(news)
  const used = (await discussing.cpu()) - started
  if (heard.some((bytes) => bytes < 500)) throw new Error('somebody heard nothing')
  report.note('a comment that all of them hear of, until they have', ms(used))
  report.below('… longest hold of the event loop', await service.hold(), { most: 50, write: ms })
  agent.destroy()
}

async function waitersFor({ port }: BenchService, agents: readonly Waiter[]) {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const news: Promise<number>[] = []
  for (const one of agents) {
    const heard = newsOf(port, one, agent)
    heard.catch(() => undefined)
    // A thousand connections in one moment are too much at once, as the service says.
    if (news.push(heard) % atOnce === 0) await pause(25)
  }
  await pause(1_000)
  return { agent, news }
}

interface Waiter {
  readonly token: string
  /** What it has heard of. */
  readonly next: string
}

async function invited({ service, talked }: Discussing): Promise<Waiter[]> {
  const { path, owner } = talked.document
  const one = async (at: number): Promise<Waiter> => {
    const handle = `w${at}`
    const made = await service.must('POST', '/agents/register', { body: { name: handle, handle } })
    const token = jsonOf<{ agent_secret: string }>(made).agent_secret
    const body = { handle, role: 'commenter' }
    await service.must('POST', `${path}/access`, { token: owner.token, body })
    const read = await service.must('GET', '/agents/me/inbox?wait=20', { token })
    return { token, next: jsonOf<{ next: string }>(read).next }
  }
  const agents: Waiter[] = []
  while (agents.length < agentsCount) {
    const count = Math.min(atOnce, agentsCount - agents.length)
    agents.push(
      ...(await Promise.all(Array.from({ length: count }, (_, at) => one(agents.length + at)))),
    )
  }
  return agents
}

/** Of three times five seconds the one in which least else happened. */
async function restIn(discussing: Discussing): Promise<number> {
  const spent: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const before = await discussing.cpu()
    await pause(5_000)
    spent.push((await discussing.cpu()) - before)
  }
  return Math.min(...spent)
}

/** How many bytes it hears. */
function newsOf(port: number, { token, next }: Waiter, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const path = `/agents/me/inbox?after=${next}&wait=60`
    const sent = request({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      let bytes = 0
      response.on('data', (data: Buffer) => (bytes += data.length))
      response.on('end', () => resolve(bytes))
    })
    sent.on('error', reject)
    sent.end()
  })
}
