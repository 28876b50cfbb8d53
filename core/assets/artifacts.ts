/**
 * Artifacts of documents (interface §4.8, extensions §11): HTML in one file, normalized before it
 * is kept, immutable, public to whoever knows its id. Each may have a poster, the first that is
 * whole. They last as long as their document. Knows neither HTTP nor the policy they are under.
 */
import type { Blob } from '../../persistence/blob-store.ts'
import { artifactKey } from '../../persistence/keys.ts'
import type { ScratchFile } from '../../persistence/scratch-file.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Source } from '../../schema/fair-line.ts'
import { type ActorId, randomName, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { AttachedRecords } from '../commit/attached-records.ts'
import type { Permission } from '../commit/permission.ts'
import { type ArtifactRecord, readRecord, records } from '../records/records.ts'
import type { ConcurrencyLimit } from '../turns/concurrency-limit.ts'
import type { Normalized } from './artifacts/normalize.ts'
import { commitUpload } from './commits.ts'
import { keptPicture } from './images.ts'
import type { KeptBlobs } from './kept-blobs.ts'
import { requirePoster } from './pictures/poster.ts'
import { count } from './totals.ts'

/** Where it can be stopped; `undefined`: it is too deep, or takes too long. Refuses BUSY. */
export type Normalize = (source: string, from: Source) => Promise<Normalized | undefined>

export interface ArtifactsParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly blobs: KeptBlobs
  readonly normalize: Normalize
  readonly writing: ConcurrencyLimit
}

export interface NewArtifact {
  readonly file: ScratchFile
  readonly from: Source
  readonly actor: ActorId
  /** As it is when all of it has come and is normalized. */
  readonly permission: () => Promise<Permission | undefined>
  readonly attached?: AttachedRecords<ArtifactRecord>
}

export interface NewPoster {
  readonly file: ScratchFile
  readonly permission: Permission | undefined
}

type NewArtifactRecord = Omit<ArtifactRecord, 'blob' | 'size' | 'poster'>

export class Artifacts {
  readonly #parts: ArtifactsParts

  constructor(parts: ArtifactsParts) {
    this.#parts = parts
  }

  /** Refuses INVALID_ARTIFACT, PAYLOAD_TOO_LARGE, LIMIT_REACHED, BUSY. */
  async add(slug: Slug, given: NewArtifact): Promise<ArtifactRecord> {
    const { file, from, actor, permission, attached } = given
    const { html, title, width, height } = await this.#normalized(file, from)
    const bytes = Buffer.from(html)
    if (bytes.length > limits.artifactMaxBytes) {
      const sizes = { limit: limits.artifactMaxBytes, size: bytes.length }
      throw new Refusal(
        'PAYLOAD_TOO_LARGE',
        sizes,
        'The artifact is too large after normalization.',
      )
    }
    const id = `art_${randomName(this.#parts.runtime, 20)}`
    const made = { id, title, width, height, actor, createdAt: this.#parts.runtime.now() }
    const held = await permission()
    return this.#parts.writing.run(() =>
      this.#keep(slug, { bytes, made, permission: held, attached }),
    )
  }

  #keep(
    slug: Slug,
    {
      bytes,
      made,
      permission,
      attached,
    }: {
      bytes: Uint8Array
      made: NewArtifactRecord
      permission: Permission | undefined
      attached: AttachedRecords<ArtifactRecord> | undefined
    },
  ): Promise<ArtifactRecord> {
    const { store, blobs } = this.#parts
    const { id } = made
    return blobs.keep([bytes], (blob) => {
      const artifact = { ...made, blob: blob.id, size: blob.size }
      return commitUpload(store, { slug, permission, attached }, async (plan) => {
        await count(plan, slug, { artifacts: 1, artifactBytes: blob.size })
        plan.write(artifactKey(slug, id), records.artifact, artifact)
        await blob.refer(plan, slug, id)
        return artifact
      })
    })
  }

  /** Refuses NOT_FOUND. */
  async find(slug: Slug, id: string): Promise<ArtifactRecord> {
    const found = isArtifactId(id)
      ? await readRecord(this.#parts.store, artifactKey(slug, id), records.artifact)
      : undefined
    if (found === undefined) throw new Refusal('NOT_FOUND')
    return found.record
  }

  /** Its bytes, or its poster's. */
  open({ blob }: { readonly blob: string }): Promise<Blob> {
    return this.#parts.blobs.open(blob)
  }

  /**
   * False: it has one already, which stays. Refuses NOT_FOUND, UNSUPPORTED_MEDIA_TYPE,
   * PAYLOAD_TOO_LARGE.
   */
  picture(slug: Slug, id: string, poster: NewPoster): Promise<boolean> {
    return this.#parts.writing.run(() => this.#picture(slug, id, poster))
  }

  async #picture(slug: Slug, id: string, { file, permission }: NewPoster): Promise<boolean> {
    const { store, blobs } = this.#parts
    await this.find(slug, id)
    await requirePoster(file)
    const { isFirst, blob } = await blobs.keep(keptPicture('image/png', file), (blob) =>
      commitUpload(store, { slug, permission }, async (plan) => {
        const artifact = await plan.read(artifactKey(slug, id), records.artifact)
        if (artifact === undefined) throw new Refusal('NOT_FOUND')
        if (artifact.poster !== undefined) return { isFirst: false, blob: blob.id }
        await count(plan, slug, { posterBytes: blob.size })
        const poster = { blob: blob.id, size: blob.size }
        plan.write(artifactKey(slug, id), records.artifact, { ...artifact, poster })
        await blob.refer(plan, slug, id)
        return { isFirst: true, blob: blob.id }
      }),
    )
    if (!isFirst) await blobs.release([blob])
    return isFirst
  }

  async #normalized(file: ScratchFile, from: Source): Promise<Normalized> {
    const source = textOf(await file.read(0, file.size))
    if (!/<(?:!doctype|[a-z])/i.test(source)) throw new Refusal('INVALID_ARTIFACT')
    const normalized = await this.#parts.normalize(source, from)
    if (normalized !== undefined) return normalized
    const message = 'The HTML is nested too deeply or takes too long to parse.'
    throw new Refusal('INVALID_ARTIFACT', { reason: 'too_complex' }, message)
  }
}

const isArtifactId = (id: string): boolean => /^art_[0-9a-z]{20}$/.test(id)

/** Refuses INVALID_ARTIFACT. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('INVALID_ARTIFACT')
  }
}
