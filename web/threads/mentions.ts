/** Whom one may mean by what is written behind an @ in a field, and putting them there. */
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type Mentionable, type MentionableAnswer, mentionable } from '../api/threads.ts'

export interface Mentions {
  readonly found: readonly Mentionable[]
  /** Names of agents that match and that a mention does not reach. */
  readonly unreachable: readonly string[]
  /** Of all that were found so far, the one that this text means. */
  unreachableIn(text: string): string | undefined
  readonly chosen: number
  /** After the text or the caret changed. */
  look(): void
  close(): void
  pick(one: Mentionable): void
  /** True: the list has answered the key. */
  onKey(event: KeyboardEvent): boolean
}

interface MentionsParts {
  readonly slug: string
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly write: (text: string) => void
}

const nobody: MentionableAnswer = { people: [], unreachable: [] }
const askAfterMs = 120
/** Who could not be asked is asked again, for as long as it is sought. */
const askAgainAfterMs = 2_000

/** What is written behind an @ before the caret; undefined: nothing. */
export const soughtIn = (before: string): string | undefined =>
  /(?:^|[\s([{])@([\p{L}\p{N}._-]{0,40})$/u.exec(before)?.[1]

export function useMentions({ slug, field, write }: MentionsParts): Mentions {
  const [sought, setSought] = useState<string>()
  const [{ people: found, unreachable }, setFound] = useState<MentionableAnswer>(nobody)
  const [chosen, setChosen] = useState(0)
  const known = useRef(new Map<string, MentionableAnswer>())
  useEffect(() => {
    setChosen(0)
    if (sought === undefined) {
      setFound(nobody)
      return undefined
    }
    const kept = known.current.get(sought)
    if (kept !== undefined) {
      setFound(kept)
      return undefined
    }
    const leave = new AbortController()
    const ask = async () => {
      const answer = await mentionable(slug, sought, leave.signal).catch(() => undefined)
      if (leave.signal.aborted) return
      if (answer === undefined) {
        // Meanwhile a handle can be written out.
        timer = window.setTimeout(() => void ask(), askAgainAfterMs)
        return
      }
      known.current.set(sought, answer)
      setFound(answer)
    }
    let timer = window.setTimeout(() => void ask(), askAfterMs)
    return () => {
      window.clearTimeout(timer)
      leave.abort()
    }
  }, [sought, slug])
  const look = () => {
    const element = field.current
    if (element === null) return
    const isCaret = element.selectionStart === element.selectionEnd
    setSought(isCaret ? soughtIn(element.value.slice(0, element.selectionStart)) : undefined)
  }
  const pick = ({ handle }: Mentionable) => {
    const element = field.current
    if (element === null || sought === undefined) return
    const at = element.selectionStart
    const start = at - sought.length
    const text = `${element.value.slice(0, start)}${handle} ${element.value.slice(at)}`
    write(text)
    setSought(undefined)
    const caret = start + handle.length + 1
    // The field shows the new text after this.
    requestAnimationFrame(() => element.setSelectionRange(caret, caret))
  }
  const onKey = (event: KeyboardEvent): boolean => {
    const one = found[chosen]
    if (sought === undefined || one === undefined) return false
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % found.length)
    else if (event.key === 'ArrowUp') setChosen((chosen - 1 + found.length) % found.length)
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.ctrlKey && !event.metaKey)) {
      pick(one)
    } else if (event.key === 'Escape') setSought(undefined)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const unreachableIn = (text: string): string | undefined => {
    const words = text.toLowerCase()
    return [...known.current.values()]
      .flatMap((answer) => answer.unreachable.map(({ name }) => name))
      .find((name) => words.includes(`@${name.toLowerCase()}`))
  }
  const names = unreachable.map(({ name }) => name)
  return {
    found,
    unreachable: names,
    unreachableIn,
    chosen,
    look,
    close: () => setSought(undefined),
    pick,
    onKey,
  }
}

/** The handle of somebody without a full account. */
export const isGuest = (handle: string): boolean => /^guest-[0-9a-z]{12}$/.test(handle)
