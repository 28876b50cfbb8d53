/** What a caller of the HTTP interface waits for, and how long one request keeps the others waiting. */
import { connectEditor, newBlockId, stampedParagraph, textOf } from './editor.ts'
import { Report, type Section } from './report.ts'
import { BenchService, type Created, jsonOf } from './service.ts'
import { median, ms, quantile, times } from './stats.ts'
import { documentOf, sizes } from './text.ts'
import { Words } from './words.ts'

interface Sizes {
  readonly name: string
  readonly document: Created
  readonly words: Words
  readonly blocks: number
}

export async function measureRest(repeats: number): Promise<Section> {
  const report = new Report()
  const service = await BenchService.start()
  try {
    const documents: Sizes[] = []
    for (const { name, blocks } of sizes) {
      const document = await service.create(documentOf(blocks))
      documents.push({ name, blocks, document, words: new Words(blocks) })
    }
    await patches(report, service, documents, repeats)
    await besideTypist(report, service, documents, Math.ceil(repeats / 3))
    await reads(report, service, documents, repeats)
    await creates(report, service)
    await firstUses(report, service, documents)
  } finally {
    await service.stop()
  }
  return {
    title: 'REST',
    how:
      'One service process on a fresh LevelDB; from the first byte of the request to the last ' +
      'byte of the answer, durable. A PATCH replaces one word.',
    rows: report.rows,
  }
}

async function patchOnce(service: BenchService, { document, words }: Sizes) {
  const { path, owner } = document
  return service.call('PATCH', path, { token: owner.token, body: { edits: [words.next()] } })
}

async function patches(
  report: Report,
  service: BenchService,
  documents: readonly Sizes[],
  repeats: number,
): Promise<void> {
  for (const size of documents) for (let turn = 0; turn < 30; turn++) await patchOnce(service, size)
  for (const size of documents) {
    const cpu = service.process.cpuMs()
    const taken: number[] = []
    for (let turn = 0; turn < repeats; turn++) {
      const answer = await patchOnce(service, size)
      if (answer.status !== 200) throw new Error(`PATCH ${answer.status}: ${answer.bytes}`)
      taken.push(answer.ms)
    }
    const each = (service.process.cpuMs() - cpu) / repeats
    if (size.blocks === 10_000) {
      report.below(`PATCH ${size.name} p50`, median(taken), { most: 8, write: ms })
    } else {
      report.note(`PATCH ${size.name} p50`, ms(median(taken)))
    }
    report.note(`PATCH ${size.name} p99`, ms(quantile(taken, 0.99)))
    report.note(`PATCH ${size.name}, processor time of the service`, ms(each))
  }
}

/** Somebody types ten keys a second in a paragraph that no edit touches. */
async function besideTypist(
  report: Report,
  service: BenchService,
  documents: readonly Sizes[],
  repeats: number,
): Promise<void> {
  for (const size of documents) {
    const typist = await service.join(size.document, 'Typist')
    const editor = await connectEditor(service.port, size.document, typist.token)
    const text = textOf(editor.fragment, 2)
    const alone: number[] = []
    const beside: number[] = []
    let keys = 0
    let refused = 0
    const mark = '§'
    for (let turn = 0; turn < repeats * 2; turn++) {
      const isBeside = turn % 2 === 1
      if (isBeside) text.insert(text.length, `${mark}${keys++}`)
      const answer = await patchOnce(service, size)
      if (answer.status !== 200) refused++
      ;(isBeside ? beside : alone).push(answer.ms)
      if (!isBeside) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { name, document } = size
    report.below(
      `PATCH ${name} beside a typist: p50 by p50 alone`,
      median(beside) / median(alone),
      {
        most: 2,
        write: times,
      },
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    const read = await service.must('GET', document.path, { token: document.owner.token })
    const { markdown } = jsonOf<{ markdown: string }>(read)
    const kept = Array.from({ length: keys }, (_, key) => `${mark}${key}`).join('')
    const lost = markdown.includes(kept) ? 0 : 1
    report.add({
      what: `PATCH ${name} beside a typist: edits refused, keys lost`,
      value: `${refused}, ${lost === 0 ? 0 : 'some'}`,
      target: '0, 0',
      met: refused + lost === 0,
    })
    editor.close()
  }
}

async function reads(
  report: Report,
  service: BenchService,
  documents: readonly Sizes[],
  repeats: number,
): Promise<void> {
  for (const size of documents) {
    const { path, owner } = size.document
    const again: number[] = []
    const changed: number[] = []
    const unchanged: number[] = []
    const get = (headers = {}) => service.call('GET', path, { token: owner.token, headers })
    for (let turn = 0; turn < repeats; turn++) {
      if (turn % 4 === 0) await patchOnce(service, size)
      const first = await get()
      if (turn % 4 === 0) changed.push(first.ms)
      else again.push(first.ms)
      const tagged = await get({ 'if-none-match': first.etag ?? '' })
      if (tagged.status !== 304) throw new Error(`no 304 but ${tagged.status}`)
      unchanged.push(tagged.ms)
    }
    if (size.blocks < 10_000) {
      report.note(`GET ${size.name} p50`, ms(median(again)))
      continue
    }
    report.below(`GET ${size.name} p50`, median(again), { most: 10, write: ms })
    report.below(`GET ${size.name} just after a write, p50`, median(changed), {
      most: 10,
      write: ms,
    })
    report.below(`GET ${size.name} unchanged (304), p50`, median(unchanged), { most: 1, write: ms })
  }
}

async function creates(report: Report, service: BenchService): Promise<void> {
  const markdown = documentOf(10_000)
  const taken: number[] = []
  for (let turn = 0; turn < 7; turn++) {
    const answer = await service.must('POST', '/docs', { body: { markdown } })
    if (turn >= 2) taken.push(answer.ms)
  }
  report.below('create 1 MB', median(taken), { most: 800, write: ms })
}

/**
 * The first read of a document after a start, which does not open it, and the first dry run, which
 * does, in a process that has read and opened another before.
 */
async function firstUses(
  report: Report,
  service: BenchService,
  documents: readonly Sizes[],
): Promise<void> {
  const largest = documents.at(-1)
  if (largest === undefined) return
  const others: Created[] = []
  for (let turn = 0; turn < 4; turn++) others.push(await service.create(documentOf(10_000)))
  await service.restart()
  const edits = [{ before: null, new_string: '\n\nlast words' }]
  const body = { base_revision: 1, edits }
  const [reads, opens]: [number[], number[]] = [[], []]
  const use = async ({ path, owner: { token } }: Created) => {
    reads.push((await service.must('GET', path, { token })).ms)
    opens.push((await service.must('PATCH', `${path}?dryRun=true`, { token, body })).ms)
  }
  for (const { document } of documents.slice(0, 2)) await use(document)
  reads.length = 0
  opens.length = 0
  for (const document of [...others, largest.document]) await use(document)
  report.below('first read of 1 MB after a start', median(reads), { most: 500, write: ms })
  report.note('first dry run of 1 MB after a start (opens it)', ms(median(opens)))
}

const holdSizes = [
  { name: '100 KB', blocks: 1_000, most: 80 },
  { name: '1 MB', blocks: 10_000, most: 300 },
  { name: '4 MB', blocks: 36_000, most: undefined },
] as const

/** The longest time in which nothing else could run, median of three. */
export async function measureHolds(): Promise<Section> {
  const report = new Report()
  const service = await BenchService.start({ env: { BENCH_HOLDS: '1' } })
  const longest = async (run: () => Promise<unknown>) => {
    const holds: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      await service.hold()
      await run()
      holds.push(await service.hold())
    }
    return median(holds)
  }
  try {
    await service.create(documentOf(10_000))
    for (const { name, blocks, most } of holdSizes) {
      const row = (what: string, value: number) =>
        most === undefined
          ? report.note(`${what} ${name}`, ms(value))
          : report.below(`${what} ${name}`, value, { most, write: ms })
      const made: Created[] = []
      row('create', await longest(async () => made.push(await service.create(documentOf(blocks)))))
      const [document] = made
      if (document === undefined) continue
      const size = { name, blocks, document, words: new Words(blocks) }
      const get = ({ path, owner }: Created) => service.must('GET', path, { token: owner.token })
      row('PATCH', await longest(() => patchOnce(service, size)))
      row('GET', await longest(() => get(document)))
      // One message: a larger paste than 8 MiB is refused, so 4 MB of small blocks is not there.
      if (most !== undefined)
        row('paste into a live editor', await longest(() => paste(service, size)))
      await service.restart()
      await service.create(documentOf(1_000))
      row('open', await longest(() => get(made.shift() ?? document)))
    }
  } finally {
    await service.stop()
  }
  return {
    title: 'Longest hold of the event loop',
    how:
      'The longest gap between two turns of a 1 ms timer during the operation, in processor time, ' +
      'since the machine is shared; median of three.',
    rows: report.rows,
  }
}

async function paste(service: BenchService, { document, blocks }: Sizes): Promise<void> {
  const empty = await service.create('# Pasted into\n')
  const editor = await connectEditor(service.port, empty, empty.owner.token)
  const lines = documentOf(blocks)
    .split('\n\n')
    .map((line) => stampedParagraph(newBlockId(), line, document.owner.actor))
  await service.hold()
  editor.ydoc.transact(() => editor.fragment.push(lines))
  const wanted = lines.length
  for (let turn = 0; turn < 200; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const { bytes } = await service.must('GET', `${empty.path}`, { token: empty.owner.token })
    if (bytes.toString().split('bid_').length > wanted) break
  }
  editor.close()
}
