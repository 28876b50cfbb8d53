/**
 * What this browser remembers of its person between pages: as whom it last wrote, so that the right
 * copy is shown before the service has answered, and the name a guest gave. No secret is among it.
 */

/** The actor of a browser without an account. */
export const nobody = 'nobody'

const actorKey = 'actor'
const nameKey = 'guest-name'
const madeKey = 'made-document'

/** A browser may forbid storage. */
function tried<T>(access: () => T): T | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}

export const rememberedActor = (): string => tried(() => localStorage.getItem(actorKey)) ?? nobody

export function rememberActor(actor: string): void {
  if (rememberedActor() !== actor) tried(() => localStorage.setItem(actorKey, actor))
}

export const rememberedName = (): string | undefined =>
  tried(() => localStorage.getItem(nameKey)) ?? undefined

export function rememberName(name: string): void {
  tried(() => localStorage.setItem(nameKey, name))
}

/** This tab made the document, and is about to open it. */
export function rememberMade(slug: string): void {
  tried(() => sessionStorage.setItem(madeKey, slug))
}

export const wasMadeHere = (slug: string): boolean =>
  tried(() => sessionStorage.getItem(madeKey)) === slug

/** Another page of this browser took an account, or left it. */
export function onActorChanged(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === actorKey) listener()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
