/** What the page asks of artifacts, its own and other documents' (interface §4.8; extensions §11). */
import { call, readText } from './http.ts'

export interface ArtifactMeta {
  readonly title: string
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  readonly source_bytes: number
  readonly poster_url: string | null
}

/** `address`: the relative one, as it stands in the fence. */
export const readMeta = (address: string): Promise<ArtifactMeta> =>
  call(`${address}/meta`, ['title', 'width', 'height'])

export const readSource = (address: string): Promise<string> => readText(`${address}?source=1`)
