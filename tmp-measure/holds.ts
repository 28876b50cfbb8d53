import * as Y from 'yjs'
import { DocumentState } from '../core/documents/state/document-state.ts'
import { Guard } from '../core/documents/guard/guard.ts'
import { Turns } from '../core/turns/turns.ts'
import { fragmentName } from '../schema/document-schema.ts'
import { parseMarkdown } from '../schema/markdown/parser.ts'
import { SimulatedRuntime } from '../tests/simulated-runtime.ts'
import { limits } from '../schema/limits.ts'

const runtime = new SimulatedRuntime()
const writer = 'ai:agent' as never
const para = (n: number, words = 8) =>
  Array.from({ length: n }, (_, at) => `word${at} ${'filling '.repeat(words)}`).join('\n\n') + '\n'

type Case = { name: string; markdown: string; edit(f: Y.XmlFragment, doc: Y.Doc): void; by?: string }
const el = (name: string, kids: (Y.XmlElement | Y.XmlText)[] = [], attrs: Record<string, string> = {}) => {
  const e = new Y.XmlElement(name)
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v)
  if (kids.length) e.insert(0, kids)
  return e
}
const cases: Case[] = [
  { name: 'marks on 50,000 words of others', markdown: para(6250), edit(f) {
    for (const b of f.toArray() as Y.XmlElement[]) {
      const t = b.get(0) as Y.XmlText
      for (let i = 0; i < 8; i++) t.format(6 + i * 8, 3, { strong: {} })
    } } },
  { name: '50,000 insertions in others texts', markdown: para(6250), edit(f) {
    for (const b of f.toArray() as Y.XmlElement[]) {
      const t = b.get(0) as Y.XmlText
      for (let i = 0; i < 8; i++) t.insert(6 + i * 10, 'x')
    } } },
  { name: 'replacement of 50,000 words', markdown: para(6250), edit(f) {
    for (const b of f.toArray() as Y.XmlElement[]) {
      const t = b.get(0) as Y.XmlText
      for (let i = 0; i < 8; i++) { t.delete(6 + i * 8, 3); t.insert(6 + i * 8, 'abc') }
    } } },
  { name: '20,000 paragraphs in a new list (wrong: no items)', markdown: 'a\n', edit(f) {
    f.insert(0, [el('bullet_list', Array.from({ length: 20000 }, () => el('paragraph', [new Y.XmlText('words')])))])
  } },
  { name: '25,000 list items at the root', markdown: 'a\n', edit(f) {
    f.insert(0, Array.from({ length: 25000 }, () => el('list_item', [el('paragraph', [new Y.XmlText('w')])])))
  } },
  { name: '30,000 paragraphs with bad ids', markdown: 'a\n', edit(f) {
    f.insert(0, Array.from({ length: 30000 }, () => el('paragraph', [new Y.XmlText('w')], { id: 'bid_aaaaaaaaaaaaaaaaaaaa' })))
  } },
  { name: '10,000 headings converted from paragraphs', markdown: para(10000, 2), edit(f) {
    const n = f.length
    const texts = (f.toArray() as Y.XmlElement[]).map((b) => [b.getAttribute('id') as string, (b.get(0) as Y.XmlText).toString()] as const)
    f.delete(0, n)
    f.insert(0, texts.map(([id, t]) => el('heading', [new Y.XmlText(t)], { id })))
  } },
  { name: '10,000 paragraphs into a list', markdown: para(10000, 2), edit(f) {
    const texts = (f.toArray() as Y.XmlElement[]).map((b) => [b.getAttribute('id') as string, (b.get(0) as Y.XmlText).toString()] as const)
    f.delete(0, f.length)
    f.insert(0, [el('bullet_list', texts.map(([id, t]) => el('list_item', [el('paragraph', [new Y.XmlText(t)], { id })])))])
  } },
  { name: '100,000 chars each in front of the last, offline, in one old text', markdown: 'a\n', edit(f) {
    const t = (f.get(0) as Y.XmlElement).get(0) as Y.XmlText
    for (let i = 0; i < 100000; i++) t.insert(0, 'x')
  } },
  { name: 'forged marks on 50,000 new runs', markdown: 'a\n', edit(f) {
    const t = new Y.XmlText()
    f.insert(0, Array.from({ length: 500 }, () => {
      const t = new Y.XmlText(); return el('paragraph', [t]) }))
    for (let b = 0; b < 500; b++) {
      const t = (f.get(b) as Y.XmlElement).get(0) as Y.XmlText
      t.applyDelta(Array.from({ length: 60 }, (_, i) => ({ insert: 'x', attributes: { authored: { by: `human:${i % 7}` } } })))
    }
  } },
]
const only = process.argv[2]
for (const { name, markdown, edit } of cases) {
  if (only && !name.includes(only)) continue
  const run = async (quiet: boolean) => {
    const state = new DocumentState(runtime)
    await state.fill(parseMarkdown(markdown).children, writer, new Turns(runtime))
    const whole = Y.encodeStateAsUpdate(state.ydoc)
    const two = new DocumentState(runtime)
    await two.load([(ydoc) => Y.applyUpdate(ydoc, whole)], new Turns(runtime))
    for (const client of state.ydoc.store.clients.keys()) two.authorship.loadOwner(client, writer)
    const desk = new Y.Doc()
    Y.applyUpdate(desk, whole)
    desk.clientID = 77
    const from = Y.encodeStateVector(desk)
    Y.transact(desk, () => edit(desk.getXmlFragment(fragmentName), desk))
    const update = Y.encodeStateAsUpdate(desk, from)
    const guard = new Guard({ ydoc: two.ydoc, ownerOf: (c) => two.authorship.ownerOf(c) })
    const parts = guard.parts(update, 'human:eve' as never, () => true)
    for (const _ of guard.reading(update));
    const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
    let t = performance.now()
    const verdict = guard.judge(update, 'human:eve' as never, { mayPark: false })
    const judged = performance.now() - t
    if (verdict.kind !== 'admit') { if (!quiet) console.log(name, parts.length, judged.toFixed(), JSON.stringify(verdict)); return }
    const { facts } = verdict
    const entry = { update: verdict.update, asSent: update, actor: 'human:eve' as never, claims: facts.claims, clients: facts.clients, micros: 1_000_000 }
    const steps = two.applyingUpdates([entry])
    const long: string[] = []
    ;(globalThis as any).phase = []
    for (let n = 0, done = false; !done; n++) {
      t = performance.now()
      done = steps.next().done === true
      const ms = performance.now() - t
      if (ms > 15) long.push(`${n}:${ms.toFixed()}`)
    }
    if (!quiet) console.log(`${name}: parts ${parts.length}, ${(update.length / 1024).toFixed()} KB, pieces ${facts.pieces}, effort ${facts.effort} walks ${facts.walks}; judge ${judged.toFixed()} | ${long.join(' ')} | ${(globalThis as any).phase.join(' ')}`)
  }
  await run(true)
  await run(false)
}
