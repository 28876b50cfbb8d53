/** Edits, history and live typing inside one process: what they cost without HTTP and sockets. */
import type { FormNumbers } from './edit-forms.ts'
import type { EditNumbers, TypingNumbers } from './in-process.ts'
import { MeasuredProcess } from './process.ts'
import { Report, type Section } from './report.ts'
import { digits, ms, times } from './stats.ts'

const measured = <T>(...args: readonly (string | number)[]): Promise<T> =>
  answerOf('bench/in-process.ts', ...args)

async function answerOf<T>(script: string, ...args: readonly (string | number)[]): Promise<T> {
  const nodeArgs = ['--import', 'tsx', script, ...args.map(String)]
  const child = new MeasuredProcess({ args: nodeArgs })
  try {
    return await child.message<T>()
  } finally {
    await child.stop()
  }
}

export async function measureEdits(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const [repeats, revisions] = isQuick ? [200, 1_000] : [500, 10_000]
  const { edits, history } = await measured<EditNumbers>('edits', repeats, revisions)
  for (const { name, p50, cpu } of edits) {
    report.note(`edit ${name}: p50, processor time`, `${ms(p50)}, ${ms(cpu)}`)
  }
  const [smallest, , largest] = edits
  if (smallest === undefined || largest === undefined) throw new Error('no sizes')
  report.below('edit 1 MB by 10 KB, p50', largest.p50 / smallest.p50, { most: 1.5, write: times })
  report.note('edit 1 MB by 10 KB, processor time', times(largest.cpu / smallest.cpu))
  const { revisions: reached, slowest } = history
  const what = `text of any of ${digits(reached)} revisions of 1 MB, slowest`
  report.below(what, slowest, { most: 500, write: ms })
  const forms = await answerOf<FormNumbers[]>('bench/edit-forms.ts', isQuick ? 6 : 20)
  for (const one of forms) addForm(report, one)
  return {
    title: 'Edits without HTTP',
    how:
      'Through `documents.patch` on LevelDB, durable; the text is neither hashed nor sent. Each form ' +
      'of edit: p50 and p99 of the wait; processor time of all threads and longest hold of the event ' +
      'loop, medians. The targets are for 1 MB: processor time (the wait, on a machine of its own), hold.',
    rows: report.rows,
  }
}

/** What may be used and held at 1 MB, in milliseconds. */
function bounds(form: string): { readonly cpu: number; readonly hold: number } {
  if (form === 'replace_document, every word') return { cpu: Number.POSITIVE_INFINITY, hold: 250 }
  if (form.startsWith('replace_document')) return { cpu: 400, hold: 250 }
  return form.includes('batch') ? { cpu: 100, hold: 250 } : { cpu: 10, hold: 20 }
}

function addForm(report: Report, one: FormNumbers): void {
  const { form, size, p50, p99, cpu, hold, written } = one
  const what = `${form}, ${size}: p50, p99; processor, hold`
  const value = `${ms(p50)}, ${ms(p99)}; ${ms(cpu)}, ${ms(hold)}`
  if (size !== '1 MB') {
    report.note(what, value)
    return
  }
  const most = bounds(form)
  const target = `${Number.isFinite(most.cpu) ? `< ${ms(most.cpu)}, ` : ''}< ${ms(most.hold)}`
  report.add({ what, value, target, met: cpu < most.cpu && hold < most.hold })
  if (form === 'replace_document, one word') {
    report.below('… characters of text written', written, { most: 100, write: digits })
  }
}

export async function measureTyping(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const count = isQuick ? 2_000 : 8_000
  for (const [name, blocks] of [
    ['10 KB', 100],
    ['1 MB', 10_000],
  ] as const) {
    const before = await measured<TypingNumbers>('typing-before-disk', blocks, count)
    report.below(`keystroke ${name} before the disk, processor time`, before.cpu, {
      most: 0.15,
      write: ms,
    })
    report.note(`keystroke ${name} before the disk: p50`, ms(before.p50))
    const disk = await measured<TypingNumbers>('typing-disk', blocks, count)
    report.below(`keystroke ${name} with the disk, p50`, disk.p50, { most: 0.5, write: ms })
    report.note(`keystroke ${name} with the disk: p99`, ms(disk.p99))
    report.note(`keystroke ${name} with the disk: processor time, all threads`, ms(disk.cpu))
  }
  return {
    title: 'Live typing',
    how:
      'One typist alone, each key waiting for the one before, a new paragraph every 60 keys: ' +
      'guard, Yjs, repair, ids, authors, text, history row, commit. Each key comes in a turn of its ' +
      'own, whose bare cost is taken off, and a tenth of a second by the clock after the one before, ' +
      'so that revisions, provenance and snapshots have their share. Measured after 16,000 keys, when ' +
      'what is often run has been compiled. Before the disk: sealed as for LevelDB, then dropped.',
    rows: report.rows,
  }
}
