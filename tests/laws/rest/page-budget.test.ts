/** Pages of threads and of comments keep to 64 KiB with the actors in them (extensions §8). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Fields } from '../../unit/rest/comments/discussion-scene.ts'
import { type Answered, startService } from '../../unit/rest/service.ts'

const service = await startService()
test.after(() => service.close())

const most = 64 * 1024
const longName = '😀'.repeat(80)
const people = 140

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Many who have long names, each with a thread of one letter and a reply in the first one. */
async function crowded() {
  const { slug, token, shareToken } = await service.create('Words to talk about.\n', 'Quill')
  const at = `/docs/${slug}`
  const say = async (by: string, body: Fields): Promise<Fields> => {
    const said = await service.call('POST', `${at}/comments`, { token: by, body })
    assert.is(said.status, 201, said.text)
    return said.json
  }
  const root = await say(token, { quote: 'Words', text: 'x' })
  const headers = { 'X-Service-Share-Ingress': '1' }
  for (let n = 0; n < people; n++) {
    const invited = await service.call('GET', at, { token: shareToken, headers })
    const own = String(invited.json['your_token'])
    await say(own, { reply_to: root['comment_id'], text: 'r', display_name: longName })
    await say(own, { quote: 'talk', text: 't' })
  }
  const pages = async (first: string, what: 'threads' | 'comments') => {
    const seen = new Set<unknown>()
    for (let query: string | undefined = first; query !== undefined; ) {
      const { json }: Answered = await service.call('GET', `${at}${query}`, { token })
      const said = bytesOf(json[what]) + bytesOf(json['actors'])
      assert.ok(said <= most, `${said} bytes`)
      for (const { id } of json[what] as Fields[]) seen.add(id)
      const { next } = json[`${what}_info`] as { next: string | null }
      query = next === null ? undefined : next.slice(next.indexOf('?'))
    }
    return seen.size
  }
  return { pages, thread: String(root['thread_id']) }
}

test('extensions §8: threads, or comments of one, and their actors are at most 64 KiB', async () => {
  const { pages, thread } = await crowded()
  assert.is(await pages('?resolved=all', 'threads'), people + 1)
  assert.is(await pages(`?thread_id=${thread}`, 'comments'), people + 1)
})

test.run()
