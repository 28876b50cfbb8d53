/**
 * Interface §4.5, comment preservation, as a law: an edit that is answered with 200 and declared
 * nothing has orphaned nobody; one that is refused changes nothing, and goes through with the
 * outcomes that its refusal suggests. SEED=n repeats another seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance, seedsOf } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { startService } from '../../unit/rest/service.ts'

const service = await startService()
test.after(() => service.close())

type Fields = Record<string, unknown>

const documents = process.env['LONG'] === undefined ? 4 : 150
const editsPerDocument = 12
const anyWord = /[a-z]{5}/g

/** A text of words that stand there once each, in blocks of all kinds. */
class Words {
  readonly #chance: Chance
  #count = 1_000

  constructor(chance: Chance) {
    this.#chance = chance
  }

  next(): string {
    let rest = ++this.#count
    return Array.from({ length: 5 }, () => {
      const letter = String.fromCharCode(97 + (rest % 25))
      rest = Math.floor(rest / 25)
      return letter
    }).join('')
  }

  some(least: number, most: number): string {
    const count = this.#chance.between(least, most)
    return Array.from({ length: count }, () => this.next()).join(' ')
  }

  document(): string {
    const blocks = [
      `# ${this.some(1, 3)}`,
      this.some(3, 8),
      this.some(3, 8),
      `- ${this.some(1, 4)}\n- ${this.some(1, 4)}\n- ${this.some(1, 3)}`,
      `> ${this.some(2, 5)}`,
      `| ${this.next()} | ${this.next()} |\n| --- | --- |\n| ${this.next()} | ${this.some(1, 2)} |`,
      this.some(2, 4),
    ]
    return `${blocks.join('\n\n')}\n`
  }
}

interface Read {
  readonly markdown: string
  readonly revision: number
  readonly content_blocks: readonly { readonly id: string | null }[]
}

/** Whatever somebody may do to a text, sensible or not. */
function editOf(read: Read, words: Words, chance: Chance): Fields {
  const { markdown, revision, content_blocks: listed } = read
  const blocks = markdown.trimEnd().split('\n\n')
  const ids = listed.flatMap(({ id }) => id ?? [])
  const word = chance.oneOf(markdown.match(anyWord) ?? ['none'])
  const whole = (next: readonly string[]) => ({
    replace_document: `${next.join('\n\n')}\n`,
    base_revision: revision,
  })
  const [taken = '', ...others] = [...blocks.splice(chance.below(blocks.length), 1), ...blocks]
  const changed = chance.oneOf([
    taken,
    `> ${taken}`,
    taken.replace(/^(?:- |> |# )/gm, ''),
    `- ${taken.split('\n').join(' ')}`,
    taken.split(' ').reverse().join(' '),
    taken.replace(' ', '\n\n'),
  ])
  return chance.oneOf<() => Fields>([
    () => {
      const next = chance.oneOf(['', words.next(), `${word} ${words.next()}`, `**${word}**`])
      return { edits: [{ old_string: word, new_string: next }] }
    },
    () => {
      const move = { move_block: chance.oneOf(ids), after_block: chance.oneOf([null, ...ids]) }
      return { edits: [move], base_revision: revision }
    },
    () => ({ edits: [{ delete_block: chance.oneOf(ids) }], base_revision: revision }),
    () => whole(others),
    () => {
      const at = chance.below(others.length + 1)
      return whole([...others.slice(0, at), changed, ...others.slice(at)])
    },
    () => {
      const [first = '', ...rest] = others
      return whole([`${first} ${taken.replace(/^[-#>] /, '')}`, ...rest])
    },
  ])()
}

for (const seed of seedsOf(1, 2)) {
  test(`seed ${seed}: no edit takes a comment away that was not declared`, async () => {
    const chance = new Chance(seed)
    const words = new Words(chance)
    const tally = new Tally()
    for (let n = 0; n < documents; n++) await document(words, chance, tally)
    tally.tell(`${seed} comments kept`, { done: documents, 'done as suggested': documents / 2 })
  })
}

async function document(words: Words, chance: Chance, tally: Tally): Promise<void> {
  const markdown = words.document()
  const { slug, token } = await service.create(markdown, 'Quill')
  const at = `/docs/${slug}`
  const read = async () => (await service.call('GET', at, { token })).json as unknown as Read
  const all = markdown.match(anyWord) ?? []
  for (let n = 0; n < 10; n++) {
    const first = chance.below(all.length - 1)
    const pair = `${all[first]} ${all[first + 1]}`
    const quote = markdown.includes(pair) && chance.happens(0.6) ? pair : all[first]
    const body = { quote, text: 'Hm.' }
    const made = await service.call('POST', `${at}/comments`, { token, body })
    assert.is(made.status, 201, made.text)
  }
  for (let n = 0; n < editsPerDocument; n++) {
    const before = await read()
    const body = editOf(before, words, chance)
    const told = `${JSON.stringify(body)} of\n${before.markdown}`
    const { status, json } = await service.call('PATCH', at, { token, body })
    if (status === 200) {
      const { orphaned = [] } = (json['comments'] ?? {}) as { orphaned?: unknown[] }
      assert.equal(orphaned, [], told)
      tally.add('done')
      continue
    }
    assert.equal(await read(), before, told)
    tally.add(`${status} ${json['code']}`)
    if (json['code'] !== 'EDITS_AFFECT_COMMENTS' || chance.happens(0.5)) continue
    const declared = { ...body, comment_outcomes: json['suggested_outcomes'] }
    const done = await service.call('PATCH', at, { token, body: declared })
    assert.is(done.status, 200, `${done.text}\n${told}`)
    tally.add('done as suggested')
  }
}

test.run()
