/**
 * The spelling of a document through its life: what nobody touches keeps its bytes while others
 * type live, editors who type at once come to one text, and a restart, a revert and a copy give the
 * bytes that were written. SEED=n and RUNS=n repeat another run.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { yXmlFragmentToProseMirrorRootNode } from 'y-prosemirror'
import * as Y from 'yjs'
import type { Documents, Writer } from '../../../core/documents/contract.ts'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import type { Store } from '../../../persistence/store.ts'
import { documentSchema } from '../../../schema/document-schema.ts'
import { type ActorId, newSlug, type Slug } from '../../../schema/ids.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { systemRuntime as runtime } from '../../../server/runtime.ts'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { LiveDesk } from '../../unit/core/documents/live/live-desk.ts'
import { within } from '../../unit/server/wire.ts'
import { spelledMarkdown } from '../schema/spelled-markdown.ts'

const seed = Number(process.env['SEED'] ?? 20_261_129)
const runs = Number(process.env['RUNS'] ?? (process.env['LONG'] === undefined ? 60 : 1_000))
const writer: Writer = { actor: 'human:ada' as ActorId, authMethod: 'token' }

interface World {
  readonly store: Store
  documents: Documents
  readonly slug: Slug
}

const onTrouble = ({ error }: { readonly error: unknown }) => {
  throw error
}

async function worldOf(markdown: string): Promise<World> {
  const store = await openMemoryStore({ runtime })
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  await create(documents, slug, markdown)
  return { store, documents, slug }
}

function create(documents: Documents, slug: Slug, markdown: string) {
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  return documents.create({ markdown, linkAccess, slug, writer, puts: [], replay: null })
}

const textOf = async ({ documents, slug }: World): Promise<string> =>
  (await documents.read(slug, { markdown: true })).markdown

async function restart(world: World): Promise<void> {
  await world.documents.close()
  world.documents = openDocuments({ store: world.store, runtime, onTrouble })
}

async function close({ documents, store }: World): Promise<void> {
  await documents.close()
  await store.close()
}

const until = (isSo: () => boolean, what: string) =>
  within(
    (async () => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
    })(),
    what,
  )

const isSaved = (desk: LiveDesk): boolean => desk.saved === desk.sent

/** The texts of a block, in which somebody may type; link definitions decide on other blocks. */
function textsIn(node: Y.XmlElement | Y.XmlText | Y.XmlHook): Y.XmlText[] {
  if (node instanceof Y.XmlText) return [node]
  if (!(node instanceof Y.XmlElement) || untyped.has(node.nodeName)) return []
  return node.toArray().flatMap((child) => textsIn(child))
}

const untyped = new Set(['link_definition', 'front_matter'])

/** A letter that stands nowhere else. */
const typed = 'ж'

/** Types a letter somewhere; answers the index of the block. */
function typeIn(desk: LiveDesk, chance: Chance): number | undefined {
  const index = chance.below(desk.fragment.length)
  const texts = textsIn(desk.fragment.get(index) as Y.XmlElement).filter(({ length }) => length > 0)
  if (texts.length === 0) return undefined
  const text = chance.oneOf(texts)
  text.insert(wholeAt(text, chance.below(text.length + 1)), typed)
  return index
}

/** Not between the halves of a character. */
function wholeAt(text: Y.XmlText, at: number): number {
  let said = ''
  for (const { insert } of text.toDelta()) said += typeof insert === 'string' ? insert : '\uFFFC'
  return /^[\udc00-\udfff]/.test(said.slice(at)) ? at + 1 : at
}

/** A text cut before each of its blocks. */
function blocksOf(markdown: string): string[] {
  const document = parseMarkdown(markdown)
  const text = DocumentText.of(document.children)
  return document.children.map((_, index) =>
    text.slice(index === 0 ? 0 : text.end(index - 1), text.end(index)),
  )
}

test('blocks that nobody types in keep their bytes, and most of the others the rest', async () => {
  const tally = new Tally()
  const law = fc.asyncProperty(spelledMarkdown, fc.nat(), async (markdown, number) => {
    const world = await worldOf(markdown)
    const before = blocksOf(await textOf(world))
    const desk = await new LiveDesk('bob').open(world.documents, world.slug)
    const chance = new Chance(number)
    const touched = new Set<number>()
    for (let count = 1 + chance.below(4); count > 0; count--) {
      const index = typeIn(desk, chance)
      if (index !== undefined) touched.add(index)
    }
    await until(() => isSaved(desk), 'what was typed is saved')
    const text = await textOf(world)
    const after = blocksOf(text)
    const told = JSON.stringify([await textOf(world), before])
    assert.is(after.length, before.length, told)
    for (const [index, block] of after.entries()) {
      const isSame = block.replaceAll(typed, '') === before[index]
      if (touched.has(index)) tally.add(isSame ? 'rest is kept' : 'rest is respelled')
      else {
        assert.is(block, before[index], told)
        tally.add('untouched')
      }
    }
    await restart(world)
    assert.is(await textOf(world), text, told)
    await close(world)
  })
  await fc.assert(law, { seed, numRuns: runs, endOnFailure: true, includeErrorInReport: true })
  assert.ok(tally.of('rest is kept') > 4 * tally.of('rest is respelled'))
  tally.tell(`${seed} live typing`, { untouched: runs, 'rest is kept': runs / 2 })
})

test('two editors who type at once come to one text, and so does the service', async () => {
  const tally = new Tally()
  const law = fc.asyncProperty(spelledMarkdown, fc.nat(), async (markdown, number) => {
    const world = await worldOf(markdown)
    const desks = [
      await new LiveDesk('bob').open(world.documents, world.slug),
      await new LiveDesk('eve').open(world.documents, world.slug),
    ]
    const chance = new Chance(number)
    for (let round = 0; round < 3; round++) {
      for (const desk of desks) {
        for (let count = 1 + chance.below(3); count > 0; count--) changeIn(desk, chance, tally)
      }
      await until(() => desks.every(isSaved), 'what was typed is saved')
    }
    const text = await textOf(world)
    await until(() => desks.every((desk) => printed(desk) === text), 'all have one text')
    await restart(world)
    assert.is(await textOf(world), text)
    await close(world)
  })
  await fc.assert(law, { seed, numRuns: runs / 2, endOnFailure: true, includeErrorInReport: true })
  tally.tell(`${seed} two editors`, { typed: runs, deleted: runs / 4, removed: runs / 8 })
})

const printed = ({ fragment }: LiveDesk): string =>
  printDocument(yXmlFragmentToProseMirrorRootNode(fragment, documentSchema))

function changeIn(desk: LiveDesk, chance: Chance, tally: Tally): void {
  const index = chance.below(desk.fragment.length)
  if (chance.happens(0.15) && desk.fragment.length > 1) {
    desk.fragment.delete(index, 1)
    tally.add('removed')
    return
  }
  const texts = textsIn(desk.fragment.get(index) as Y.XmlElement).filter(({ length }) => length > 1)
  if (texts.length === 0) return
  const text = chance.oneOf(texts)
  const at = chance.below(text.length)
  const isDeleted = chance.happens(0.3)
  if (isDeleted) text.delete(at, 1)
  else text.insert(at, typed)
  tally.add(isDeleted ? 'deleted' : 'typed')
}

const spelled = [
  '---\ntitle: All spellings\n---',
  'Setext of the first level\n===',
  'Setext of the second\n-----------',
  '## Closed ##',
  '* star\n* another\n  + plus\n  + more',
  '1) one\n2) two\n3) three',
  'between',
  '1. same\n1. same\n1. same',
  '~~~ js\nconst x = 1\n~~~',
  '````\n```\n````',
  '    indented code\n\n    of two parts',
  '* * *',
  '>no blank\n>behind it',
  '| a    | b  |\n|:-----|---:|\n| cell | 1  |\n| x    | 20 |',
  'Some _em_ and __strong__, *em* and **strong**, [**both**](/u).',
  'A [link][ref], another [ref][] and [ref]; ![image][ref].',
  '[ref]: <https://x.y/z> "Title"',
  'two blanks  \nbreak, and a backslash\\\nbreak',
  '\n\nseveral blank lines before',
  '- loose\n\n- list\n\n\n- of items',
  '-   wide\n-   markers',
  '1. a\n   * nested\n     1) deep',
  'snake_case, 3 * 4, a & b, $a_b$, [[wiki]], :emoji:, &nbsp; and &copy;',
  '<div>\n*html*\n</div>',
  '[unused]: /u',
]
const allSpellings = `${spelled.join('\n\n')}\n`

test('every spelling comes back from a create, a restart, a revert and a copy', async () => {
  const world = await worldOf(allSpellings)
  const { slug } = world
  assert.is(await textOf(world), allSpellings, 'created')
  await restart(world)
  assert.is(await textOf(world), allSpellings, 'restarted')
  const desk = await new LiveDesk('bob').open(world.documents, slug)
  assert.is(printed(desk), allSpellings, 'opened')
  const first = (await world.documents.read(slug, { markdown: true })).revision
  const edit = { edits: [{ replace_document: 'Something else.\n' }], writer, dryRun: false }
  const { revision } = await world.documents.patch(slug, { ...edit, baseRevision: first })
  assert.is(await textOf(world), 'Something else.\n')
  await world.documents.revert(slug, first, { writer, dryRun: false, baseRevision: revision })
  assert.is(await textOf(world), allSpellings, 'reverted')
  await until(() => printed(desk) === allSpellings, 'the editor has what was reverted')
  await restart(world)
  assert.is(await textOf(world), allSpellings, 'reverted and restarted')
  const copy = { ...world, slug: newSlug(runtime) }
  await create(world.documents, copy.slug, await textOf(world))
  assert.is(await textOf(copy), allSpellings, 'copied')
  await close(world)
})

test.run()
