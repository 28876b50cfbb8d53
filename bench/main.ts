/**
 * `npm run bench [-- sections] [-- --write]`: measures the service against its targets. Sections:
 * rest, start, stores, bare, holds, people, edits, discussion, anchors, history, typing, fanout,
 * memory, resident, crowd, page, whole, uploads, webhooks, threads, nodes, attacks, files (default:
 * all).
 * `files DIR` takes the markdown files below DIR. `--quick`: fewer repeats. `--write` keeps each
 * section's table in docs/bench.md. `BENCH_FANOUT=ours,1x100` picks servers and crowds of the
 * fan-out, `BENCH_ATTACKS=creates,squat` attacks, `BENCH_WHOLE=all,paste` parts of what a long page
 * costs, `BENCH_RESIDENT=one` or `many` documents, `BENCH_THREADS=requests,typing,one-core` parts
 * of the comparison of thread settings, `BENCH_NODES=typing,patches,takeover,idle` parts of nodes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { measureAnchors } from './anchors.ts'
import { measureAttacks } from './attacks.ts'
import { measureBare } from './bare.ts'
import { measureCrowd } from './crowd.ts'
import { measureDiscussion } from './discussion.ts'
import { measureEdits, measureTyping } from './documents.ts'
import { measureFanout } from './fanout.ts'
import { measureFiles } from './files.ts'
import { measureHistory } from './history.ts'
import { measureMemory } from './memory.ts'
import { measureNodes } from './nodes.ts'
import { measurePage } from './page.ts'
import { measurePeople } from './people.ts'
import { root } from './process.ts'
import { pageWith, type Section } from './report.ts'
import { measureResident } from './resident.ts'
import { measureHolds, measureRest } from './rest.ts'
import { measureStart } from './start.ts'
import { measureStores } from './stores.ts'
import { measureThreads } from './threads.ts'
import { measureUploads } from './uploads.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWhole } from './whole.ts'

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const named = args.filter((arg) => !arg.startsWith('--'))
/** `files DIR`. */
const isFolder = (arg: string, index: number): boolean =>
  named[index - 1] === 'files' && !(arg in sections)

const picked = (name: string): readonly string[] =>
  (process.env[name] ?? '').split(',').filter((word) => word !== '')

const sections: Readonly<Record<string, () => Promise<Section>>> = {
  rest: () => measureRest(isQuick ? 40 : 200),
  start: () => measureStart(isQuick),
  stores: () => measureStores(isQuick),
  bare: () => measureBare(isQuick),
  holds: () => measureHolds(),
  people: () => measurePeople(isQuick),
  edits: () => measureEdits(isQuick),
  discussion: () => measureDiscussion(isQuick),
  anchors: () => measureAnchors(isQuick),
  history: () => measureHistory(isQuick),
  typing: () => measureTyping(isQuick),
  fanout: () => measureFanout(picked('BENCH_FANOUT')),
  memory: () => measureMemory(isQuick),
  resident: () => measureResident(isQuick),
  crowd: () => measureCrowd(),
  page: () => measurePage(isQuick),
  whole: () => measureWhole(isQuick, picked('BENCH_WHOLE')),
  uploads: () => measureUploads(isQuick),
  webhooks: () => measureWebhooks(isQuick),
  threads: () => measureThreads(isQuick, picked('BENCH_THREADS')),
  nodes: () => measureNodes(isQuick, picked('BENCH_NODES')),
  attacks: () => measureAttacks(isQuick),
  files: () => measureFiles(named.find(isFolder)),
}

function keep(section: Section): void {
  const path = join(root, 'docs', 'bench.md')
  const page = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const date = new Date().toISOString().slice(0, 10)
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  const load = loadavg()[1]?.toFixed(1)
  const machine =
    `${cpus().length} shared cores (${model}), Node ${process.version}, ${date}, ` +
    `where ${load} processes wanted to run (5 minutes' mean)`
  writeFileSync(path, pageWith(page, section, machine))
}

const wanted = named.filter((arg, index) => !isFolder(arg, index))
for (const [name, measure] of Object.entries(sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  const section = await measure()
  if (args.includes('--write')) keep(section)
}
