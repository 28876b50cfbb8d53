/**
 * The laws of the binding between the page's document and the shared one, on random edits of two
 * people: both ways agree with y-prosemirror's own reading, untouched blocks stay the same objects,
 * opening writes nothing, undo takes back one's own words alone.
 */
import fc from 'fast-check'
import {
  chainCommands,
  joinBackward,
  lift,
  setBlockType,
  splitBlock,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { TextSelection } from 'prosemirror-state'
import { Transform } from 'prosemirror-transform'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { redo, undo } from 'y-prosemirror'
import { identifiedTypes, documentSchema as schema } from '../../../schema/document-schema.ts'
import { isBlockId } from '../../../schema/ids.ts'
import { Rewriting, rewrite } from '../../../web/editor/binding/rewrite.ts'
import { Tally } from '../../tally.ts'
import { agrees, bothOn, mixed, moveBlock } from '../../unit/web/bound-pages.ts'
import type { PageWithoutDom } from '../../unit/web/page-without-dom.ts'

const { nodes, marks } = schema
const numRuns = process.env['LONG'] === undefined ? 80 : 5_000

interface Act {
  readonly kind: number
  readonly at: number
  readonly to: number
  readonly text: string
}

const acts = fc.record({
  kind: fc.nat(17),
  at: fc.nat(1_000),
  to: fc.nat(1_000),
  text: fc.constantFrom('a', 'aa', 'b ', '😀', 'é', 'word', '\n'),
})

/** One thing a person does. */
function act(page: PageWithoutDom, { kind, at, to, text }: Act): void {
  const { state } = page
  const size = state.doc.content.size
  const place = (n: number) => {
    const $pos = state.doc.resolve(Math.round((n / 1_000) * size))
    const isInPair = /[\ud800-\udbff]$/.test($pos.nodeBefore?.text ?? '')
    return isInPair ? state.doc.resolve($pos.pos - 1) : $pos
  }
  const near = (n: number) => TextSelection.near(place(n))
  page.dispatch(state.tr.setSelection(near(at)))
  const select = () => {
    const selection = TextSelection.between(place(at), place(to))
    page.dispatch(page.state.tr.setSelection(selection))
  }
  if (kind < 5) page.dispatch(page.state.tr.insertText(text))
  else if (kind < 7) {
    select()
    page.dispatch(page.state.tr.deleteSelection())
  } else if (kind === 7) page.run(chainCommands(splitListItem(nodes.list_item), splitBlock))
  else if (kind === 8) page.run(joinBackward)
  else if (kind === 9) page.run(setBlockType(nodes.heading, { level: 2 }))
  else if (kind === 10) page.run(setBlockType(nodes.code_block))
  else if (kind === 11) {
    select()
    page.run(toggleMark(to % 2 === 0 ? marks.strong : marks.em))
  } else if (kind === 12) page.run(wrapInList(nodes.bullet_list))
  else if (kind === 13) {
    page.run(chainCommands(sinkListItem(nodes.list_item), wrapIn(nodes.blockquote)))
  } else if (kind === 14) page.run(chainCommands(liftListItem(nodes.list_item), lift))
  else if (kind === 15) moveBlock(page, at, to)
  else if (kind === 16) page.run(to % 2 === 0 ? asCommand(undo) : asCommand(redo))
  else insertImage(page, text)
}

function insertImage(page: PageWithoutDom, alt: string): void {
  const image = nodes.image.create({ src: 'https://example.com/a.png', alt })
  const { parent } = page.state.selection.$from
  if (parent.type.spec.code !== true)
    page.dispatch(page.state.tr.replaceSelectionWith(image, false))
}

const asCommand = (change: (state: never) => boolean) => (state: unknown) => change(state as never)

function idsOf(doc: Node): string[] {
  const ids: string[] = []
  doc.descendants((node) => {
    if (typeof node.attrs['id'] === 'string') ids.push(node.attrs['id'])
  })
  return ids
}

test('random edits of one person leave every block an id of its own', () => {
  const seed = 43
  const did = new Tally()
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 20 }), (run) => {
      const [ann] = bothOn(mixed)
      for (const one of run) {
        act(ann, one)
        did.add('acts')
        agrees(ann)
        const ids = idsOf(ann.state.doc)
        assert.is(ids.length, new Set(ids).size, 'an id stands twice')
        ann.state.doc.descendants((node) => {
          if (!identifiedTypes.has(node.type.name)) return
          assert.ok(isBlockId(node.attrs['id']))
          did.add('ids')
        })
      }
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} block ids`, { acts: numRuns, ids: 5 * numRuns })
})

test('random edits of two people agree on every page', () => {
  const seed = 42
  const did = new Tally()
  const steps = fc.array(fc.record({ who: fc.nat(1), sync: fc.nat(3), act: acts }), {
    minLength: 1,
    maxLength: 25,
  })
  fc.assert(
    fc.property(steps, (run) => {
      const [ann, ben] = bothOn(mixed)
      const pages = [ann, ben]
      for (const step of run) {
        const page = pages[step.who] ?? ann
        act(page, step.act)
        agrees(page)
        did.add('acts')
        if (step.sync === 0) {
          did.add('exchanges')
          ann.sendTo(ben)
          ben.sendTo(ann)
        }
      }
      ann.sendTo(ben)
      ben.sendTo(ann)
      assert.ok(ann.state.doc.eq(ben.state.doc), `${ann.state.doc}\n${ben.state.doc}`)
      ann.close()
      ben.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} binding`, { acts: numRuns, exchanges: numRuns / 2 })
})

test('a document given at once moves positions as the steps to it do', () => {
  const seed = 45
  const did = new Tally()
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 8 }), (run) => {
      const [ann] = bothOn(mixed)
      const before = ann.state.doc
      for (const one of run) act(ann, one)
      const after = ann.state.doc
      const [steps, atOnce] = [new Transform(before), new Transform(before)]
      rewrite(steps, after)
      atOnce.step(new Rewriting(before, after))
      assert.is(atOnce.doc, after)
      assert.ok(steps.doc.eq(after))
      before.descendants((node, pos) => {
        if (!node.isTextblock) return
        for (let at = pos + 1; at < pos + node.nodeSize; at++) {
          for (const side of [-1, 1]) {
            const [wanted, found] = [steps.mapping.map(at, side), atOnce.mapping.map(at, side)]
            assert.is(found, wanted, `${at} by ${side}: ${before}\nbecomes ${after}`)
            did.add(found === at ? 'stayed' : 'moved')
          }
        }
      })
      atOnce.step(new Rewriting(before, after).invert())
      assert.is(atOnce.doc, before)
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} positions`, { stayed: numRuns, moved: numRuns })
})

test('undoing everything brings the document back, ids and authors too', () => {
  const seed = 44
  const did = new Tally()
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 12 }), (run) => {
      const [ann] = bothOn(mixed)
      const before = ann.state.doc
      for (const one of run) if (one.kind !== 16) act(ann, one)
      while (undo(ann.state)) {
        did.add('undone')
        agrees(ann)
      }
      assert.ok(ann.state.doc.eq(before), `${ann.state.doc}\nbut was\n${before}`)
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} undo`, { undone: numRuns / 2 })
})

test.run()
