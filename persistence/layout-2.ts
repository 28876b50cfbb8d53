/**
 * From layout 1, in which grants, owners, links, spent tickets and the homes of names lay below
 * `index/`, to layout 2, in which each is a kind of its own, and grants, tokens and links are found
 * by document and by holder too. The old names are spelled here and nowhere else.
 */
import type { Slug } from '../schema/ids.ts'
import {
  grantOfActor,
  indexRange,
  type Kind,
  kindRange,
  linkOfDocument,
  tokenOfDocument,
} from './keys.ts'
import type { KeyedValue, Put, Store } from './store.ts'

/** The names of the indexes that were none, and the kinds that they are now. */
const moved: Readonly<Record<string, Kind>> = {
  actor: 'actor',
  'general-link': 'general-link',
  grant: 'grant',
  owner: 'owner',
  'short-link': 'link',
  'spent-confirmation': 'confirmation',
}

/** Indexes that layout 1 does not have. */
const added = ['grant-of', 'link-of', 'token-of'] as const

const recordsAtOnce = 500
const nothing = new Uint8Array()

const json = ({ value }: KeyedValue): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(value).toString())

/** What finds a record by what its own key does not begin with. */
function indexed(kind: Kind, record: KeyedValue, path: readonly string[]): Put[] {
  if (kind === 'grant') {
    const [slug = '', actor = ''] = path
    return [{ key: grantOfActor(decodeURIComponent(actor), slug as Slug), value: nothing }]
  }
  if (kind === 'link') {
    const { slug, linkId } = json(record)
    return [{ key: linkOfDocument(slug as Slug, String(linkId)), value: nothing }]
  }
  return []
}

async function* newRecords(store: Store): AsyncGenerator<Put> {
  for (const [name, kind] of Object.entries(moved)) {
    const prefix = `index/${name}/`
    for await (const record of store.scan(indexRange(name))) {
      const rest = record.key.slice(prefix.length)
      yield { key: `${kind}/${rest}`, value: record.value }
      yield* indexed(kind, record, rest.split('/'))
    }
  }
  for await (const record of store.scan(kindRange('token'))) {
    const { type, slug, id } = json(record)
    if (type !== 'document') continue
    yield { key: tokenOfDocument(slug as Slug, String(id)), value: nothing }
  }
}

export const toLayout2 = {
  /** Beside the old records, which stay as they are; also where this was begun before. */
  async write(store: Store): Promise<void> {
    for (const kind of Object.values(moved)) await store.deleteRange(kindRange(kind))
    for (const name of added) await store.deleteRange(indexRange(name))
    let puts: Put[] = []
    for await (const put of newRecords(store)) {
      puts.push(put)
      if (puts.length < recordsAtOnce) continue
      await store.commit({ puts })
      puts = []
    }
    await store.commit({ puts })
  },

  /** The old records, when the new ones count. */
  async clean(store: Store): Promise<void> {
    for (const name of Object.keys(moved)) await store.deleteRange(indexRange(name))
  },
} as const
