/**
 * Which pictures are taken, recognised by the whole structure of their files and not by what they
 * are called, and what is kept of one (extensions §11).
 */
import { partsOfGif } from './gif.ts'
import { partsOfJpeg } from './jpeg.ts'
import type { Part } from './plan.ts'
import { partsOfPng } from './png.ts'
import { partsOfWebp } from './webp.ts'
import type { Bytes } from './window.ts'

const readers = {
  'image/png': partsOfPng,
  'image/jpeg': partsOfJpeg,
  'image/webp': partsOfWebp,
  'image/gif': partsOfGif,
} as const

export type PictureType = keyof typeof readers

export const pictureTypes = Object.keys(readers) as readonly PictureType[]

export const isPictureType = (type: string): type is PictureType =>
  pictureTypes.some((known) => known === type)

/** What is kept of a file; `undefined`: it is no whole picture of this type. */
export const keptPartsOf = (
  type: PictureType,
  bytes: Bytes,
): Promise<readonly Part[] | undefined> => readers[type](bytes)
