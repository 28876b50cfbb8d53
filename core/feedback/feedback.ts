/**
 * Reports of what goes wrong with a document (interface §4.9, extensions §11), and the images that
 * they show: records beside the document, which go with it. Images that no report names go after a
 * day. Secrets are taken out before anything is stored.
 */
import type { Blob } from '../../persistence/blob-store.ts'
import {
  blobReference,
  feedbackImageBy,
  feedbackImageDue,
  feedbackImageKey,
  feedbackImagesBySince,
  feedbackImagesDueBy,
  feedbackKey,
  kindRange,
  parseKey,
} from '../../persistence/keys.ts'
import type { ScratchFile } from '../../persistence/scratch-file.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { type ActorId, randomName, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { commitUpload } from '../assets/commits.ts'
import { keptPicture } from '../assets/images.ts'
import type { KeptBlobs } from '../assets/kept-blobs.ts'
import type { PictureType } from '../assets/pictures/picture.ts'
import { count } from '../assets/totals.ts'
import type { AttachedRecords } from '../commit/attached-records.ts'
import type { Permission } from '../commit/permission.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import {
  type FeedbackImageRecord,
  type FeedbackRecord,
  readRecord,
  records,
} from '../records/records.ts'
import type { ConcurrencyLimit } from '../turns/concurrency-limit.ts'
import { KeyedQueue } from '../turns/keyed-queue.ts'

export interface FeedbackParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly blobs: KeptBlobs
  readonly writing: ConcurrencyLimit
  /** Told when the sweep failed (for the log); it is tried again. */
  readonly onTrouble: (error: unknown) => void
}

export interface NewReport {
  readonly message: string
  readonly kind: FeedbackRecord['kind']
  /** Ids of images of this document. */
  readonly images: readonly string[]
  /** The request that it is about. */
  readonly ref: string | undefined
  readonly actor: ActorId | undefined
  readonly permission: Permission | undefined
  readonly attached?: AttachedRecords<{ readonly id: string }>
}

export interface NewFeedbackImage {
  readonly type: PictureType
  readonly file: ScratchFile
  /** Whose it is. */
  readonly holder: string
  readonly permission: Permission | undefined
  readonly attached?: AttachedRecords<FeedbackImageRecord>
}

/** How many images this holder may still upload, and when it will be more. */
export interface ImagesLeft {
  readonly left: number
  readonly resetSeconds: number
}

const dayMs = 24 * 3_600_000

export class Feedback {
  readonly #parts: FeedbackParts
  /** Of one holder one after another, so that each is counted before the next. */
  readonly #holders = new KeyedQueue(limits.uploadsAtOnce)
  #sweep: Timer | undefined
  #isClosed = false

  constructor(parts: FeedbackParts) {
    this.#parts = parts
    this.#sweepSoon()
  }

  /** Refuses INVALID_REQUEST: an image is not this document's; LIMIT_REACHED. */
  report(slug: Slug, given: NewReport): Promise<{ readonly id: string }> {
    const { store, runtime } = this.#parts
    const { permission, images, kind, ref, actor, attached } = given
    const id = `fb_${randomName(runtime, 20)}`
    const report: FeedbackRecord = {
      id,
      slug,
      message: withoutSecrets(given.message),
      images: [...new Set(images)],
      createdAt: runtime.now(),
      ...(kind !== undefined && { kind }),
      ...(ref !== undefined && { ref }),
      ...(actor !== undefined && { actor }),
    }
    return commitUpload(store, { slug, permission, attached }, async (plan) => {
      for (const [at, image] of images.entries()) await this.#show(plan, { slug, image, at, id })
      await count(plan, slug, { reports: 1 })
      plan.write(feedbackKey(slug, id), records.feedback, report)
      return { id }
    })
  }

  /** What a holder may still upload today. */
  async imagesLeft(holder: string): Promise<ImagesLeft> {
    const now = this.#parts.runtime.now()
    const range = feedbackImagesBySince(holder, secondOf(now - dayMs))
    let taken = 0
    let oldest = secondOf(now)
    for await (const { key } of this.#parts.store.scan({ ...range, limit: imagesADay })) {
      if (taken === 0) oldest = Number(parseKey(key)?.path[2])
      taken += 1
    }
    const resetSeconds = Math.max(1, oldest + dayMs / 1000 - secondOf(now))
    return { left: imagesADay - taken, resetSeconds }
  }

  /** Refuses UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, PAYLOAD_TOO_LARGE. */
  addImage(slug: Slug, image: NewFeedbackImage): Promise<FeedbackImageRecord> {
    return this.#parts.writing.run(() => this.#addImage(slug, image))
  }

  /** One's own. Refuses NOT_FOUND. */
  async findImage(
    slug: Slug,
    id: string,
    holder: string | undefined,
  ): Promise<FeedbackImageRecord> {
    const found = isImageId(id)
      ? await readRecord(this.#parts.store, feedbackImageKey(slug, id), records.feedbackImage)
      : undefined
    if (found === undefined || found.record.holder !== holder) throw new Refusal('NOT_FOUND')
    return found.record
  }

  openImage({ blob }: Pick<FeedbackImageRecord, 'blob'>): Promise<Blob> {
    return this.#parts.blobs.open(blob)
  }

  /** All reports, by document; with the images that they show. */
  async *all(): AsyncGenerator<{
    readonly report: FeedbackRecord
    readonly images: readonly FeedbackImageRecord[]
  }> {
    const { store } = this.#parts
    for await (const { value } of store.scan(kindRange('feedback'))) {
      const report = records.feedback.decode(value)
      const slug = report.slug as Slug
      const found = await Promise.all(
        report.images.map((id) =>
          readRecord(store, feedbackImageKey(slug, id), records.feedbackImage),
        ),
      )
      yield { report, images: found.flatMap((one) => (one === undefined ? [] : [one.record])) }
    }
  }

  /** Images that no report names go, a day after they came; answers how many. */
  async sweep(): Promise<number> {
    const { store, runtime, blobs } = this.#parts
    let gone = 0
    const due = feedbackImagesDueBy(secondOf(runtime.now() - dayMs))
    for await (const { key } of store.scan({ ...due, limit: limits.feedbackSweptAtOnce })) {
      const [, , slug = '', id = ''] = parseKey(key)?.path ?? []
      const found = await readRecord(
        store,
        feedbackImageKey(slug as Slug, id),
        records.feedbackImage,
      )
      if (found === undefined) {
        await store.commit({ deletes: [key] })
        continue
      }
      const { record } = found
      await commitUpload(store, { slug: slug as Slug, permission: undefined }, async (plan) => {
        if (
          (await plan.read(feedbackImageKey(slug as Slug, id), records.feedbackImage)) === undefined
        )
          return
        await count(plan, slug as Slug, { reportImageBytes: -record.size })
        plan.delete(...keysOfImage(slug as Slug, record))
      }).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
      await blobs.release([record.blob])
      gone += 1
    }
    return gone
  }

  close(): void {
    this.#isClosed = true
    this.#sweep?.cancel()
  }

  async #show(
    plan: RecordPlan,
    of: { readonly slug: Slug; readonly image: string; readonly at: number; readonly id: string },
  ): Promise<void> {
    const { slug, image, at, id } = of
    const key = isImageId(image) ? feedbackImageKey(slug, image) : undefined
    const found = key === undefined ? undefined : await plan.read(key, records.feedbackImage)
    if (key === undefined || found === undefined) {
      const message = 'is not a feedback image of this document'
      throw new Refusal('INVALID_REQUEST', { issues: [{ path: `/image_urls/${at}`, message }] })
    }
    plan.write(key, records.feedbackImage, { ...found, report: id })
    plan.delete(feedbackImageDue(secondOf(found.createdAt), slug, image))
  }

  #addImage(slug: Slug, given: NewFeedbackImage): Promise<FeedbackImageRecord> {
    const { store, runtime, blobs } = this.#parts
    const { type, file, holder, permission, attached } = given
    const id = `fbi_${randomName(runtime, 20)}`
    return blobs.keep(keptPicture(type, file), (blob) => {
      const { size } = blob
      const image = { id, blob: blob.id, size, type, holder, createdAt: runtime.now() }
      const second = secondOf(image.createdAt)
      const plan = async (plan: RecordPlan) => {
        await count(plan, slug, { reportImageBytes: size })
        const { left, resetSeconds } = await this.imagesLeft(holder)
        if (left <= 0) throw new Refusal('RATE_LIMITED', { retry_after: resetSeconds })
        plan.write(feedbackImageKey(slug, id), records.feedbackImage, image)
        const keys = [
          feedbackImageDue(second, slug, id),
          feedbackImageBy(holder, second, { slug, id }),
        ]
        await blob.refer(plan, slug, id)
        plan.put(keys.map((key) => ({ key, value: new Uint8Array() })))
        return image
      }
      const of = { slug, permission, attached }
      return this.#holders.run(holder, () => commitUpload(store, of, plan))
    })
  }

  #sweepSoon(): void {
    this.#sweep = this.#parts.runtime.after(limits.feedbackSweepEveryMs, () => {
      this.sweep()
        .catch(this.#parts.onTrouble)
        .finally(() => {
          if (!this.#isClosed) this.#sweepSoon()
        })
    })
  }
}

const imagesADay = limits.feedbackImagesADay
const isImageId = (id: string): boolean => /^fbi_[0-9a-z]{20}$/.test(id)
const secondOf = (ms: number): number => Math.max(0, Math.floor(ms / 1000))

/** The record and what it is found by. */
export function keysOfImage(
  slug: Slug,
  { id, blob, holder, createdAt }: FeedbackImageRecord,
): string[] {
  const second = secondOf(createdAt)
  return [
    feedbackImageKey(slug, id),
    blobReference(blob, slug, id),
    feedbackImageDue(second, slug, id),
    feedbackImageBy(holder, second, { slug, id }),
  ]
}

const masked = '[masked]'

const forms: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    masked,
  ],
  [/\b(dtk|shr|as|ark|ses|rst|whsec)_[A-Za-z0-9_+/=-]{12,}/g, `$1_${masked}`],
  [/\b(Bearer|Basic)[ \t]+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${masked}`],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|ghu|ghr|glpat|xox[abeprs])[-_][A-Za-z0-9_-]{16,}/g, masked],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, masked],
  [/(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}@/g, `$1${masked}@`],
  [
    /\b((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|session|cookie|authorization)["']?[ \t]*[:=][ \t]*["']?)(?!\[masked\]|Bearer\b|Basic\b)[^\s"'&;,<>]{4,}/gi,
    `$1${masked}`,
  ],
]

/**
 * Takes secrets out of what people and agents report, before it is stored (interface §4.9): our own
 * by their form, others by the words that stand before them or the forms that are well known. What
 * is left says that something was there. One pass each, over text of bounded length.
 */
export const withoutSecrets = (text: string): string =>
  forms.reduce((left, [form, instead]) => left.replace(form, instead), withoutJwts(text))

/**
 * JSON web tokens. Each run of letters is looked at once: a search for a whole token would look
 * from each beginning to the end of a run.
 */
const withoutJwts = (text: string): string =>
  text
    .replace(/(?<![\w-])[\w-]{11,}(?=\.[\w-])/g, (run) => run.replace(/\beyJ[\w-]{8,}/, masked))
    .replace(/\[masked\]\.(?:\[masked\]|[\w-]+)(?:\.[\w-]*)?/g, masked)
