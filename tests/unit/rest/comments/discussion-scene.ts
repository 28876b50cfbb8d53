/** A document that one agent talks about over REST, and what is asked of it. */
import * as assert from 'uvu/assert'
import type { Answered, TestService } from '../service.ts'

export type Fields = Record<string, unknown>
export interface Segment {
  readonly block_id: string
  readonly start_offset: number
  readonly end_offset: number
  readonly quote: string
}

export const said = ({ status, json }: Answered) => `${status} ${json['code']}`
export const fieldsOf = (value: unknown) => Object.keys(value as Fields).sort()

export async function discussed(service: TestService, markdown: string) {
  const { slug, token } = await service.create(markdown, 'Quill')
  const at = `/docs/${slug}`
  const ask = (method: string, path: string, body?: unknown, by = token) =>
    service.call(method, `${at}${path}`, { token: by, ...(body !== undefined && { body }) })
  const post = (path: string, body?: unknown) => ask('POST', `/${path}`, body)
  const say = async (body: Fields) => {
    const made = await post('comments', body)
    assert.is(made.status, 201, made.text)
    return made.json
  }
  const done = async (path: string, body?: unknown) => {
    const answered = await post(path, body)
    assert.is(answered.status, 200, answered.text)
    return answered.json
  }
  const read = async (query = '') => (await ask('GET', query)).json
  const threads = async (query = '?resolved=all') => (await read(query))['threads'] as Fields[]
  const patch = (body: Fields) => ask('PATCH', '', body)
  const revision = async () => Number((await read())['revision'])
  return { slug, token, at, ask, post, say, done, read, threads, patch, revision }
}

export async function agent(service: TestService, name: string) {
  const { json } = await service.call('POST', '/agents/register', { body: { name } })
  return { token: String(json['agent_secret']), handle: String(json['handle']) }
}
