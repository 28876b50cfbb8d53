/** What the page asks of artifacts, its own and other documents' (interface §4.8; extensions §11). */
import type { Success } from '../../schema/wire/api.ts'
import { call, readText } from './http.ts'

export type ArtifactMeta = Success<'GET /docs/:slug/artifacts/:id/meta'>

/** `address`: the relative one, as it stands in the fence. */
export const readMeta = (address: string): Promise<ArtifactMeta> =>
  call('GET /docs/:slug/artifacts/:id/meta', ['title', 'width', 'height'], {
    address: `${address}/meta`,
  })

export const readSource = (address: string): Promise<string> =>
  readText('GET /docs/:slug/artifacts/:id', { address: `${address}?source=1` })
