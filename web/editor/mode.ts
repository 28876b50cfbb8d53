/**
 * What hands do to a document: they edit it, suggest changes of it, or only look. Which of these
 * one may choose follows from the role and the owner's flags; what was chosen is remembered on this
 * device for the document. Suggesting takes a layer (`binding/layer.ts`); until it lies over the
 * text, the binding lets nothing be typed.
 */
import type { DocumentSession } from '../live/session.ts'
import { readList, writeItem } from '../platform/device-storage.ts'
import { oncePer } from '../platform/once-per.ts'
import { createStore, type Readable } from '../platform/store.ts'

export type EditingMode = 'editing' | 'suggesting' | 'viewing'

export interface Modes {
  /** The first is what one does who has not chosen; none until the role is known. */
  readonly allowed: Readable<readonly EditingMode[]>
  readonly mode: Readable<EditingMode>
  /** Whether what is typed goes anywhere. */
  readonly takesTyping: Readable<boolean>
  choose(mode: EditingMode): void
}

/** The same for everyone who asks with this session. */
export const modesOf = oncePer(modesFor)

function modesFor(session: DocumentSession): Modes {
  const allowed = createStore<readonly EditingMode[]>([])
  const mode = createStore<EditingMode>('viewing')
  const takesTyping = createStore(false)
  let chosen = rememberedMode(session.slug)
  const settle = () => {
    const now = allowedIn(session)
    if (now.join() !== allowed.get().join()) allowed.set(now)
    const [first = 'viewing'] = now
    mode.set(chosen !== undefined && now.includes(chosen) ? chosen : first)
    const isHere = session.synced.get() && session.saveState.get().kind !== 'ended'
    const takes: Readonly<Record<EditingMode, boolean>> = {
      editing: session.canWrite.get(),
      suggesting: isHere,
      viewing: false,
    }
    takesTyping.set(takes[mode.get()])
  }
  const { role, flags, synced, canWrite, saveState } = session
  for (const store of [role, flags, synced, canWrite, saveState]) store.subscribe(settle)
  settle()
  return {
    allowed,
    mode,
    takesTyping,
    choose(next) {
      chosen = next
      rememberMode({ slug: session.slug, mode: next })
      settle()
    },
  }
}

function allowedIn({ role, flags, saveState }: DocumentSession): readonly EditingMode[] {
  // Read over HTTP, it takes nothing that is typed.
  if (saveState.get().kind === 'polling') return ['viewing']
  const { read_only: isLocked = false, comments_disabled: isQuiet = false } = flags.get() ?? {}
  const suggesting: readonly EditingMode[] = isQuiet ? [] : ['suggesting']
  switch (role.get()) {
    case undefined:
      return []
    case 'viewer':
      return ['viewing']
    case 'commenter':
      return [...suggesting, 'viewing']
    case 'editor':
      // What one typed a moment ago is not to become suggestions by itself.
      return isLocked ? ['viewing', ...suggesting] : ['editing', ...suggesting, 'viewing']
    case 'owner':
      return ['editing', ...suggesting, 'viewing']
  }
}

interface Chosen {
  readonly slug: string
  readonly mode: EditingMode
}

const key = 'editing-modes'
const keptMax = 100
const modes: readonly unknown[] = ['editing', 'suggesting', 'viewing']

const rememberedMode = (slug: string): EditingMode | undefined =>
  allChosen().find((one) => one.slug === slug)?.mode

function rememberMode(chosen: Chosen): void {
  const others = allChosen().filter(({ slug }) => slug !== chosen.slug)
  writeItem(key, JSON.stringify([chosen, ...others].slice(0, keptMax)))
}

const allChosen = (): readonly Chosen[] => readList(key, isChosen)

function isChosen(value: unknown): value is Chosen {
  const { slug, mode } = (value ?? {}) as Partial<Chosen>
  return typeof slug === 'string' && modes.includes(mode)
}
