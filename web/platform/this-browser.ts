/**
 * What this browser remembers of its person between pages: as whom it last wrote, so that the right
 * copy is shown before the service has answered, the name a guest gave, and the languages of code
 * that were picked. No secret is among it.
 */
import { readItem, writeItem } from './device-storage.ts'

/** The actor of a browser without an account. */
export const nobody = 'nobody'

const actorKey = 'actor'
const nameKey = 'guest-name'
const madeUpKey = 'made-up-name'
const madeKey = 'made-document'
const copyKey = 'copied-document'
const languagesKey = 'languages'
const languagesMax = 3

export const rememberedActor = (): string => readItem(actorKey) ?? nobody

export function rememberActor(actor: string): void {
  if (rememberedActor() !== actor) writeItem(actorKey, actor)
}

export const rememberedName = (): string | undefined => readItem(nameKey)

export const rememberName = (name: string): void => writeItem(nameKey, name)

/** The actor whose name was made up here and has not been looked at; `''`: none. */
export const actorWithMadeUpName = (): string => readItem(madeUpKey) ?? ''

export const rememberMadeUpName = (actor: string): void => writeItem(madeUpKey, actor)

/** This tab made the document, and is about to open it. */
export const rememberMade = (slug: string): void => writeItem(madeKey, slug, 'sessionStorage')

export const wasMadeHere = (slug: string): boolean => readItem(madeKey, 'sessionStorage') === slug

/** What a copy is of. */
export interface Copied {
  readonly title: string
  /** Images that could not be copied: they are still the original's. */
  readonly imagesLeft: number
}

/** This tab made `slug` as a copy, and is about to open it. */
export const rememberCopy = (slug: string, { title, imagesLeft }: Copied): void =>
  writeItem(copyKey, `${slug} ${imagesLeft} ${title}`, 'sessionStorage')

/** What `slug` is a copy of; once. */
export function takeCopied(slug: string): Copied | undefined {
  const kept = readItem(copyKey, 'sessionStorage') ?? ''
  const [, of, imagesLeft, title = ''] = /^(\S+) (\d+) (.*)$/s.exec(kept) ?? []
  if (of !== slug) return undefined
  writeItem(copyKey, '', 'sessionStorage')
  return { title, imagesLeft: Number(imagesLeft) }
}

/** The languages of code that were picked last, the newest first. */
export function recentLanguages(): readonly string[] {
  return (readItem(languagesKey) ?? '').split(' ').filter(Boolean).slice(0, languagesMax)
}

/** Plain text, which has no name, is none. */
export function rememberLanguage(name: string): void {
  if (name === '') return
  const others = recentLanguages().filter((other) => other !== name)
  writeItem(languagesKey, [name, ...others].join(' '))
}

/** Another page of this browser took an account, or left it. */
export function onActorChanged(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === actorKey) listener()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
