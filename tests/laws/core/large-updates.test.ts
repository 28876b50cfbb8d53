/**
 * An update of 100,000 structs is judged in short steps, and credited rightly in others. How long
 * those of applying are is only told: Yjs ends a transaction in one go, and what a list of very
 * many blocks becomes is planned in one.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { effortMax, Guard } from '../../../core/documents/guard/guard.ts'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { Steps } from '../../../schema/steps.ts'
import { fillState } from '../../filled-state.ts'
import { pace } from '../../pace.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'

const ada = 'human:ada' as ActorId
const eve = 'human:eve' as ActorId
const spentMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** How long each step took, no longer than its processor time, the longest first. */
function times(steps: Steps<unknown>): readonly number[] {
  const all: number[] = []
  for (let isDone = false; !isDone; ) {
    const [since, spent] = [performance.now(), spentMs()]
    isDone = steps.next().done === true
    all.push(Math.min(performance.now() - since, spentMs() - spent))
  }
  return all.sort((a, b) => b - a)
}

/** A document of ada's, and what eve wrote into a copy of it. */
async function scene({ markdown, write }: Large, blocks: number) {
  const runtime = new SimulatedRuntime()
  const state = new DocumentState(runtime)
  const nodes = parseMarkdown(markdown(blocks)).children
  await fillState(state, { nodes, author: ada, runtime })
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(state.ydoc))
  const before = Y.encodeStateVector(copy)
  Y.transact(copy, () => write(copy.getXmlFragment(fragmentName), blocks))
  const update = Y.encodeStateAsUpdate(copy, before)
  const ownerOf = (client: number) => state.authorship.ownerOf(client)
  return { state, guard: new Guard({ ydoc: state.ydoc, ownerOf }), update }
}

type Scene = Awaited<ReturnType<typeof scene>>

function judged({ guard, update }: Scene) {
  const judging = times(guard.preparing(update, eve, effortMax))
  const [since, spent] = [performance.now(), spentMs()]
  const verdict = guard.judge(update, eve, { mayPark: false })
  const last = Math.min(performance.now() - since, spentMs() - spent)
  if (verdict.kind !== 'admit') throw new Error(verdict.kind)
  return { longest: Math.max(last, ...judging.slice(0, 1)), steps: judging.length, verdict }
}

function applied(
  { state, update: asSent }: Scene,
  { update, facts }: ReturnType<typeof judged>['verdict'],
) {
  const { claims, clients } = facts
  const entry = { update, asSent, actor: eve, claims, clients, micros: 2_000_000 }
  return times(state.applyingUpdates([entry]))
}

const paragraph = 'word filling filling filling filling filling filling filling filling'

/** By how many blocks it is about, ten words or so each. */
interface Large {
  readonly what: string
  readonly blocks: number
  markdown(blocks: number): string
  write(fragment: Y.XmlFragment, blocks: number): void
}

const updates: readonly Large[] = [
  {
    what: 'marks on 25,000 words of another',
    blocks: 3_125,
    markdown: (blocks) => Array.from({ length: blocks }, () => paragraph).join('\n\n'),
    write: (fragment) => {
      for (const block of fragment.toArray() as Y.XmlElement[]) {
        const text = block.get(0) as Y.XmlText
        for (let word = 0; word < 8; word++) text.format(6 + word * 8, 3, { strong: {} })
      }
    },
  },
  {
    what: '10,000 paragraphs right in a list',
    blocks: 10_000,
    markdown: () => 'a\n',
    write: (fragment, blocks) => {
      const list = new Y.XmlElement('bullet_list')
      const items = Array.from({ length: blocks }, () => {
        const block = new Y.XmlElement('paragraph')
        block.insert(0, [new Y.XmlText('words')])
        return block
      })
      list.insert(0, items)
      fragment.insert(0, [list])
    },
  },
]

for (const large of updates) {
  test(`each step of judging is short, and the marks are true: ${large.what}`, async () => {
    const small = await scene(large, large.blocks / 10)
    applied(small, judged(small).verdict)
    const whole = await scene(large, large.blocks)
    const { longest, steps, verdict } = judged(whole)
    const [most = 0, ...others] = applied(whole, verdict)
    const next = others.slice(0, 5).map((ms) => ms.toFixed())
    console.log(
      `\nseed none ${large.what}: judged in ${steps} steps of ${longest.toFixed()} ms at most, ` +
        `the longest of applying ${most.toFixed()}, ${next.join(', ')} ms`,
    )
    assert.ok(steps > 30, `judged in ${steps} steps`)
    assert.ok(longest < 100 * pace(), `judging: ${longest.toFixed(1)} ms`)
    assert.is(whole.state.authorship.falseMark(whole.state.fragment), undefined)
  })
}

test.run()
