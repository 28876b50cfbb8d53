/**
 * Addresses of uploaded images in markdown (interface §4.8). A document keeps the absolute address
 * that an image had when it was inserted, so the service may have another host or path by now. The
 * path of an image tells it; whether it is one of this service, only the service knows: another
 * one has the same paths. Pure.
 */
import { passages } from './passages.ts'

export interface OwnImage {
  readonly slug: string
  readonly id: string
}

const ownPath = /\/docs\/([0-9a-z]{20})\/images\/(img_[0-9a-z]{20})/g

interface LocatedImage extends OwnImage {
  readonly from: number
  readonly to: number
}

/** What stands before and behind an address in markdown, and in HTML. */
const opens = new Set(['(', '<', '"', "'"])
const closes = new Set([')', '>', '"', "'", ' ', '\t', '\n', undefined])
/** A longer host and path are left as they are. */
const baseMaxChars = 300
/** Of more different ones the rest are left as they are. */
const imagesMax = 1_000

export const pathOfImage = ({ slug, id }: OwnImage): string => `/docs/${slug}/images/${id}`

/**
 * The markdown with the images of this service under `base` (origin and path, no slash at the end),
 * those in code as they are. `exists` is asked once for each image.
 */
export const withPresentImages = (
  markdown: string,
  base: string,
  exists: (image: OwnImage) => Promise<boolean>,
): Promise<string> =>
  withImageAddresses(markdown, async (image) =>
    (await exists(image)) ? base + pathOfImage(image) : undefined,
  )

/** The markdown with other addresses of images; `addressOf` is asked once for each image. */
export async function withImageAddresses(
  markdown: string,
  addressOf: (image: OwnImage) => Promise<string | undefined>,
): Promise<string> {
  const answers = new Map<string, Promise<string | undefined>>()
  const known = (image: OwnImage): Promise<string | undefined> => {
    const path = pathOfImage(image)
    const before = answers.get(path)
    if (before !== undefined) return before
    const answer = answers.size < imagesMax ? addressOf(image) : Promise.resolve(undefined)
    answers.set(path, answer)
    return answer
  }
  const pieces: string[] = []
  for (const { text, isCode } of passages(markdown)) {
    let kept = 0
    for (const image of isCode ? [] : addressesIn(text)) {
      const address = await known(image)
      if (address === undefined) continue
      pieces.push(text.slice(kept, image.from), address)
      kept = image.to
    }
    pieces.push(text.slice(kept))
  }
  return pieces.join('')
}

function* addressesIn(text: string): Generator<LocatedImage> {
  for (const { index, 0: path, 1: slug = '', 2: id = '' } of text.matchAll(ownPath)) {
    const to = index + path.length
    const from = beginOf(text, index)
    if (from !== undefined && closes.has(text[to])) yield { slug, id, from, to }
  }
}

/** Where the address of this path begins: with a scheme and host, or with the path itself. */
function beginOf(text: string, path: number): number | undefined {
  let from = path
  while (from > 0 && path - from <= baseMaxChars && !/[\s()<>"'\\]/.test(text[from - 1] ?? '')) {
    from--
  }
  const before = text[from - 1] ?? ''
  const isDefinition = before === ' ' && text.slice(from - 3, from) === ']: '
  const isWhole = /^(?:https?:\/\/[^/?#@]+)?(?:\/[^/?#]+)*$/.test(text.slice(from, path))
  return (opens.has(before) || isDefinition) && isWhole ? from : undefined
}
