/**
 * Tells a guest who has something to lose that it is theirs in this browser only, quietly and
 * seldom: once there is a document of theirs with some text, or much text of theirs anywhere, and
 * when that was put aside, not before there is three times as much.
 */
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { askForAccount } from '../account/ask.ts'
import type { DocumentSession } from '../live/session.ts'
import { readItem, writeItem } from '../platform/device-storage.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { ownRecent } from '../platform/recent-documents.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'

const writtenKey = 'written'
const askAtKey = 'keep-asked-at'
/** Changes, of which a key is one. */
const enoughOfOwn = 400
const enoughOfOthers = 2_000
/** So seldom the device is written to. */
const writtenStep = 50

const numberAt = (key: string): number => Number(readItem(key) ?? 0) || 0

function isWorthAsking(): boolean {
  const enough = ownRecent().length > 0 ? enoughOfOwn : enoughOfOthers
  return numberAt(writtenKey) >= Math.max(enough, numberAt(askAtKey))
}

export function KeepChip({ session }: { readonly session: DocumentSession }) {
  const account = useStore(session.account)
  const [isPutAside, setPutAside] = useState(false)
  const isWorthIt = useWritten(session)
  const hasMadeUpName = useStore(session.hasMadeUpName)
  if (account?.guest !== true || !isWorthIt || isPutAside || hasMadeUpName) return null
  const putAside = () => {
    writeItem(askAtKey, String(numberAt(writtenKey) * 3))
    setPutAside(true)
  }
  return (
    <div ref={passFocusToText} className="name-chip float" role="status">
      <span>Your documents are only available in this browser</span>
      <button
        type="button"
        className="button"
        onMouseDown={keepWritersPlace}
        onClick={() => askForAccount('sign-up')}
      >
        Create account
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label="Not now"
        onMouseDown={keepWritersPlace}
        onClick={putAside}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}

/** Counts what is written here; whether it has become worth asking. */
function useWritten(session: DocumentSession): boolean {
  const { ydoc } = useStore(session.copy)
  const [isWorthIt, setWorthIt] = useState(isWorthAsking)
  useEffect(() => {
    let written = 0
    const keep = () => {
      if (written === 0) return
      writeItem(writtenKey, String(numberAt(writtenKey) + written))
      written = 0
      setWorthIt(isWorthAsking())
    }
    const count = (
      _: Uint8Array,
      _origin: unknown,
      _doc: unknown,
      tr: { readonly local: boolean },
    ) => {
      if (tr.local && ++written >= writtenStep) keep()
    }
    ydoc.on('update', count)
    return () => {
      ydoc.off('update', count)
      keep()
    }
  }, [ydoc])
  return isWorthIt
}
