/**
 * One and two nodes on PostgreSQL, beside one node on LevelDB: what typists and edits wait, how
 * long people wait when a node dies, and what an idle cluster costs.
 */
import { measureIdle } from './nodes/idle.ts'
import { measurePatches } from './nodes/patches.ts'
import { measureTakeover } from './nodes/takeover.ts'
import { measureTyping } from './nodes/typing.ts'
import { Report, type Section } from './report.ts'

const parts = {
  typing: measureTyping,
  patches: measurePatches,
  takeover: measureTakeover,
  idle: measureIdle,
} as const

export async function measureNodes(isQuick: boolean, only: readonly string[]): Promise<Section> {
  const report = new Report()
  for (const [name, measure] of Object.entries(parts)) {
    if (only.length === 0 || only.includes(name)) await measure(report, isQuick)
  }
  return {
    title: 'Several nodes',
    how:
      'Nodes, PostgreSQL 18 (with fsync) and the clients share two cores that others use too, and nothing is bound to a core. So two nodes ' +
      'have no more processor than one, and only ratios within one run mean something, roughly. Processor time is of all nodes and of ' +
      'PostgreSQL together, less that of a stage without keys, and in brackets as a multiple of that on LevelDB. With two nodes half of the ' +
      'sockets are at the one that passes them on. Hocuspocus with its Redis extension was not measured: there was no Redis.',
    rows: report.rows,
  }
}
