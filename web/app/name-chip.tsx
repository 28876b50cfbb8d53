/**
 * Says under which name somebody writes who was never asked: their words are saved under one that
 * was made up, and a click changes it, also beside what is written already.
 */
import { X } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { DocumentSession } from '../live/session.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { Rename } from './rename.tsx'

export function NameChip({ session }: { readonly session: DocumentSession }) {
  const name = useStore(session.account)?.name
  const isMadeUp = useStore(session.hasMadeUpName)
  const reads = useStore(session.role) === 'viewer'
  const [renames, setRenames] = useState(false)
  const close = useCallback(() => setRenames(false), [])
  return (
    <>
      {isMadeUp && name !== undefined && !reads ? (
        <div ref={passFocusToText} className="name-chip float" role="status">
          <span>
            You are writing as <strong>{name}</strong>
          </span>
          <button
            type="button"
            className="button"
            onMouseDown={keepWritersPlace}
            onClick={() => setRenames(true)}
          >
            Change
          </button>
          <button
            type="button"
            className="button button-icon"
            aria-label="Keep this name"
            onMouseDown={keepWritersPlace}
            onClick={() => session.keepName()}
          >
            <X aria-hidden />
          </button>
        </div>
      ) : null}
      {renames ? <Rename session={session} onClose={close} /> : null}
    </>
  )
}
