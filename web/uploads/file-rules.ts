/** Which files the service takes, images and artifacts, who may bring one, and why not. Pure. */
import { limits } from '../../schema/limits.ts'
import type { DocumentSession } from '../live/session.ts'

export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** For the choosing of files. */
export const imageFiles = imageTypes.join()

/** So many wait at once; what comes then is refused. */
export const waitingMax = 50

export interface FileFacts {
  readonly name: string
  readonly type: string
  readonly size: number
}

/** It is meant to be a picture, if not of a type that every browser shows. */
export const isPicture = ({ type }: Pick<FileFacts, 'type'>): boolean => type.startsWith('image/')

/** A small page, which becomes an artifact. */
export const isPage = ({ type }: Pick<FileFacts, 'type'>): boolean => type === artifactType
export const artifactType = 'text/html'

/** Why this one cannot be put in; undefined: it can. */
export function refusalOf({ name, type, size }: FileFacts): string | undefined {
  const said = name === '' ? 'This image' : `“${name}”`
  if (size === 0) return `${said} is empty.`
  if (isPage({ type })) {
    const limit = limits.artifactMaxBytes
    return size > limit
      ? `${said} is too large. HTML artifacts are limited to ${limit / 1_024} KB.`
      : undefined
  }
  if (!imageTypes.includes(type)) {
    return `${said} is not a supported image. Use PNG, JPEG, WebP or GIF.`
  }
  if (size > limits.imageMaxBytes) {
    return `${said} is too large: ${megabytes(size)} (limit ${megabytes(limits.imageMaxBytes)}).`
  }
  return undefined
}

/** `5 MB`, `7.3 MB`; what is too large by little does not read as if it fitted. */
export function megabytes(bytes: number): string {
  const tenths = Math.ceil(bytes / 100_000) / 10
  return `${tenths} MB`
}

/** Why this person puts no image into this document; undefined: nothing is in the way. */
export function refusalHere(
  session: Pick<DocumentSession, 'role' | 'saveState'>,
): string | undefined {
  const state = session.saveState.get()
  switch (session.role.get()) {
    case 'viewer':
      return state.kind === 'read-only' && state.because === 'linkless'
        ? 'You need an editor link to add images.'
        : 'You have view-only access. To add images, ask the owner for an editor link.'
    case 'commenter':
      return 'You can only comment and suggest. To add images, ask the owner for an editor link.'
    default:
      return undefined
  }
}
