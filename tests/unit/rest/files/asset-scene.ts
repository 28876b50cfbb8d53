/** Uploads, and where their bytes lie, for the tests of what documents have beside their text. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Answered, Call, TestService } from '../service.ts'

export interface Caller {
  call(method: string, path: string, call?: Call): Promise<Answered>
}

export const imageAs = (type: string, raw: Uint8Array | string, more: Call = {}): Call => ({
  ...more,
  raw,
  headers: { 'Content-Type': type, ...more.headers },
})

/** An image's address. */
export async function upload(caller: Caller, slug: string, bytes: Uint8Array): Promise<string> {
  const answer = await caller.call('POST', `/docs/${slug}/images`, imageAs('image/png', bytes))
  assert.is(answer.status, 201, answer.text)
  return String(answer.json['url'])
}

/** An artifact's address. */
export async function uploadArtifact(caller: Caller, slug: string, html: string): Promise<string> {
  const answer = await caller.call('POST', `/docs/${slug}/artifacts`, imageAs('text/html', html))
  assert.is(answer.status, 201, answer.text)
  return String(answer.json['url'])
}

/** Every file of every blob, and what was left half-written; what goes meanwhile is not there. */
export function blobFiles({ directory }: Pick<TestService, 'directory'>): string[] {
  const blobs = join(directory, 'blobs')
  return readdirSync(blobs, { recursive: true, encoding: 'utf8' })
    .map((name) => join(blobs, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
}
