/**
 * GIF: a screen, then images and extensions in small blocks, to a trailer. XMP is an extension of
 * its own; EXIF and IPTC have no place in it. No pixel is decoded.
 */
import { KeptParts, type Part } from './plan.ts'
import { type Bytes, ByteWindow } from './window.ts'

const screenBytes = 13
const imageBytes = 10
const kind = { image: 0x2c, extension: 0x21, trailer: 0x3b, application: 0xff } as const
const xmpName = '\x0bXMP DataXMP'

/** `undefined`: it is no whole GIF. */
export async function partsOfGif(bytes: Bytes): Promise<readonly Part[] | undefined> {
  const window = new ByteWindow(bytes)
  if (!(await window.see(screenBytes))) return undefined
  const screen = window.ahead(screenBytes)
  if (!/^GIF8[79]a$/.test(screen.toString('latin1', 0, 6))) return undefined
  window.skip(screenBytes + colorsOf(screen[10] ?? 0))
  const kept = new KeptParts()
  let hasImage = false
  for (;;) {
    if (!window.has(1) && !(await window.see(1))) return undefined
    const from = window.at
    switch (window.ahead(1)[0]) {
      case kind.trailer:
        if (!hasImage) return undefined
        kept.keepTo(bytes.size)
        return kept.done()
      case kind.image:
        hasImage = true
        if (!(await skipImage(window))) return undefined
        break
      case kind.extension: {
        const isXmp = await isXmpHere(window)
        window.skip(2)
        if (!(await skipBlocks(window))) return undefined
        if (isXmp) kept.drop(from, window.at)
        break
      }
      default:
        return undefined
    }
  }
}

/** Bytes of the table of colours that these flags announce. */
const colorsOf = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

async function skipImage(window: ByteWindow): Promise<boolean> {
  if (!(await window.see(imageBytes))) return false
  // Behind the table of colours stands the size of the first code.
  window.skip(imageBytes + colorsOf(window.ahead(imageBytes)[9] ?? 0) + 1)
  return skipBlocks(window)
}

async function isXmpHere(window: ByteWindow): Promise<boolean> {
  const count = 2 + xmpName.length
  if (!(await window.see(count))) return false
  const ahead = window.ahead(count)
  return ahead[1] === kind.application && ahead.toString('latin1', 2) === xmpName
}

/** Behind the block of no bytes that ends them; false: the file ends before. */
async function skipBlocks(window: ByteWindow): Promise<boolean> {
  for (;;) {
    if (!window.has(1) && !(await window.see(1))) return false
    const length = window.ahead(1)[0] ?? 0
    window.skip(1 + length)
    if (length === 0) return true
  }
}
