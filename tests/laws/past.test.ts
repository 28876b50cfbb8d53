/**
 * The past while several people type at once, into the same revisions: each text that was read with
 * its authors is told again, to the letter, when one asks for that revision later. SEED=… repeats
 * one.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ActorId } from '../../schema/ids.ts'
import { Chance, seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { pause, until } from '../waiting.ts'
import { Alphabet } from './alphabet.ts'
import { LiveEditor } from './live-editor.ts'
import { type LawDocument, LawService, type Member } from './service.ts'

interface Run {
  readonly from: number
  readonly to: number
  readonly author: string
}

interface Read {
  readonly revision: number
  readonly markdown: string
  readonly authorship: readonly Run[]
}

async function read(service: LawService, { slug }: LawDocument, member: Member, more = '') {
  const path = `/docs/${slug}?include=authorship${more}`
  const { status, body } = await service.call('GET', path, { token: member.token })
  assert.is(status, 200, JSON.stringify(body))
  const { revision, markdown, authorship } = body as unknown as Read
  return { revision, markdown, authorship }
}

/** Short steps and no pauses to speak of: several type into one revision. */
async function work(editor: LiveEditor, steps: number): Promise<void> {
  await until(
    20_000,
    () => (editor.isSynced && editor.texts.length > 0) || undefined,
    () => 'the editor has the text',
  )
  const kinds = ['type', 'type', 'type', 'type', 'erase', 'format', 'addBlock', 'paste'] as const
  for (let left = steps; left > 0; left--) {
    editor[editor.chance.oneOf(kinds)]()
    await pause(editor.chance.below(editor.chance.happens(0.1) ? 400 : 25))
  }
}

async function scenario(service: LawService, seed: number, tally: Tally): Promise<void> {
  const chance = new Chance(seed)
  const alphabet = new Alphabet()
  const words = (count: number) => alphabet.words('maker' as ActorId, count)
  const markdown = `# ${words(2)}\n\n${words(8)}\n\n- ${words(2)}\n- ${words(2)}\n\n> ${words(3)}\n`
  const document = await service.document(markdown, 6)
  const [victim, reader, ...typists] = document.members
  if (victim === undefined || reader === undefined) throw new TypeError('too few members')
  const { slug } = document
  const parts = { service, slug, alphabet, victim, delayMaxMs: 4 }
  const editors = typists.map((member, at) => {
    const marking = (['plain', 'stamps', 'forges'] as const)[at % 3] ?? 'plain'
    return new LiveEditor({ ...parts, member, chance: chance.fork(), marking })
  })
  const reads = new Map<number, Read>()
  let isDone = false
  const watch = async () => {
    while (!isDone) {
      const now = await read(service, document, reader)
      reads.set(now.revision, now)
      await pause(chance.below(40))
    }
  }
  try {
    const working = Promise.all(editors.map((editor) => work(editor, 30)))
    const ending = working.finally(() => {
      isDone = true
    })
    await Promise.all([ending, watch()])
  } finally {
    for (const editor of editors) editor.leave()
  }
  for (const then of reads.values()) {
    const told = await read(service, document, reader, `&revision=${then.revision}`)
    assert.equal(told, then, `seed ${seed}, revision ${then.revision}`)
  }
  const { body } = await service.call('GET', `/docs/${slug}/history?limit=200`, {
    token: reader.token,
  })
  const entries = body['entries'] as { actor_ids?: string[] }[]
  const shared = entries.filter(({ actor_ids: ids }) => ids !== undefined)
  tally.add('reads', reads.size)
  tally.add('revisions of several', shared.length)
}

test('extensions §12: each revision of several people typing is told with its authors', async () => {
  process.setMaxListeners(0)
  const service = await LawService.start()
  const seeds = seedsOf(1, process.env['LONG'] ? 8 : 2)
  const tally = new Tally()
  try {
    for (const seed of seeds) await scenario(service, seed, tally)
    assert.equal(service.errors, [])
  } finally {
    await service.end()
  }
  const least = { reads: 4 * seeds.length, 'revisions of several': seeds.length }
  tally.tell(`${seeds[0]}–${seeds.at(-1)} the past`, least)
})

test.run()
