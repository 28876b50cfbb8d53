/**
 * The state line: whether what is on the page is on the service's disk, in a few words, with a
 * sentence for whoever asks. It says what the session knows and nothing it hopes.
 */
import {
  Archive,
  CloudCheck,
  CloudOff,
  CloudUpload,
  Eye,
  LoaderCircle,
  Lock,
  type LucideIcon,
  MessageSquare,
  PencilLine,
  RefreshCw,
  SquarePen,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { signInEnded } from '../api/http.ts'
import { modesOf } from '../editor/mode.ts'
import type { OutgoingCounts } from '../live/outgoing.ts'
import type { EndedBecause, ReadOnlyBecause } from '../live/save-state.ts'
import type { DocumentSession, Role, SaveState } from '../live/session.ts'
import { isNewlyClaimed, wasGivenBack } from '../platform/claims.ts'
import { countedNoun } from '../platform/counted-noun.ts'
import { isNarrow } from '../platform/media.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { wasMadeHere } from '../platform/this-browser.ts'

interface Said {
  readonly icon: LucideIcon
  readonly text: string
  /** The word of it for where there is no room; not given: it is short already. */
  readonly short?: string
  /** The sentence behind it. */
  readonly more: string
  readonly tone?: 'warn'
}

type Away = Extract<SaveState, { kind: 'offline' | 'reconnecting' | 'polling' }>

const counted = (changes: number): string => (changes === 1 ? '1 change' : `${changes} changes`)

/** What becomes of the changes while the service cannot be reached. */
function changesSaid({ kept, unkept }: Away) {
  if (unkept > 0) return `${counted(unkept)} not saved: keep this page open`
  return kept > 0 ? `${counted(kept)} saved on this device` : undefined
}

const offlineWord = ({ signInEnded: isSignedOut }: Away): string =>
  isSignedOut === true ? 'Signed out' : 'Offline'

/** Reloading would lose what is in the page alone. */
function whyOffline({ signInEnded: isSignedOut, unkept }: Away): string {
  if (isSignedOut !== true) {
    return 'Could not reach the server. Your changes are sent when the connection is back.'
  }
  return unkept > 0
    ? 'Your sign-in at the proxy has ended. Sign in again in another tab and keep this page open.'
    : signInEnded
}

const unsentSaid = (counts: OutgoingCounts): string => {
  const said = Object.entries(counts).map(([one, count]) => countedNoun(count, one))
  return `Not sent: ${said.join(', ')}`
}

/** The same, with what else the service has not got. */
function withUnsent(said: Said, { kind, unsent }: SaveState): Said {
  if (unsent === undefined) return said
  switch (kind) {
    case 'saved':
    case 'read-only':
      return {
        icon: CloudUpload,
        text: unsentSaid(unsent),
        short: 'Not sent',
        more: 'Keep this page open until everything is sent.',
      }
    case 'saving':
    case 'unnamed':
    case 'offline':
    case 'reconnecting':
    case 'polling':
      return { short: said.text, ...said, text: `${said.text}. ${unsentSaid(unsent)}` }
    default:
      return said
  }
}

const readOnly: Readonly<Record<ReadOnlyBecause, Said>> = {
  linkless: {
    icon: Eye,
    text: 'View only: ask for access to edit',
    short: 'View only',
    more: 'Anyone with the address can read this document. Ask the owner for an editor link to edit it.',
  },
  viewer: {
    icon: Eye,
    text: 'View only',
    short: 'View only',
    more: 'You can read this document. Ask the owner for an editor link to edit it.',
  },
  commenter: {
    icon: MessageSquare,
    text: 'Comment only',
    short: 'Comment only',
    more: 'You can read and comment. Ask the owner for an editor link to edit.',
  },
  locked: {
    icon: Lock,
    text: 'Locked by the owner',
    short: 'Locked',
    more: 'The owner locked this document. Only the owner can edit it until it is unlocked.',
  },
}

const ended: Readonly<Record<EndedBecause, Said>> = {
  archived: {
    icon: Archive,
    text: 'This document was archived',
    short: 'Archived',
    more: 'It cannot be opened until it is restored.',
  },
  deleted: {
    icon: CloudOff,
    text: 'This document was deleted',
    short: 'Deleted',
    more: 'This document no longer exists.',
    tone: 'warn',
  },
  'no-access': {
    icon: Lock,
    text: 'You no longer have access',
    short: 'No access',
    more: 'Your link or session is no longer valid. Ask the owner for access.',
    tone: 'warn',
  },
  reload: {
    icon: RefreshCw,
    text: 'Reload to continue',
    short: 'Reload',
    more: 'A new version is available. Reload the page to continue editing.',
    tone: 'warn',
  },
  address: {
    icon: CloudOff,
    text: 'This page was opened from the wrong address',
    short: 'Wrong address',
    more: 'The server does not accept changes from this address. Your administrator must set BASE_URL to it.',
    tone: 'warn',
  },
}

function saidOf(state: SaveState): Said {
  switch (state.kind) {
    case 'loading':
      return { icon: LoaderCircle, text: 'Opening…', more: 'Loading the document.' }
    case 'saved':
      return {
        icon: CloudCheck,
        text: 'Saved',
        more: 'All changes are saved on the server.',
      }
    case 'saving':
      return {
        icon: CloudUpload,
        text: 'Saving…',
        more: `${counted(state.changes)} not yet saved on the server.`,
      }
    case 'unnamed':
      return {
        icon: SquarePen,
        text: 'Not saved yet',
        short: 'Not saved',
        more: 'Could not create a guest account, so your changes are not saved yet. The page keeps trying.',
        tone: 'warn',
      }
    case 'offline':
      return {
        icon: CloudOff,
        text: [offlineWord(state), changesSaid(state)].filter(Boolean).join(', '),
        short: offlineWord(state),
        more: whyOffline(state),
        tone: 'warn',
      }
    case 'reconnecting':
      return {
        icon: RefreshCw,
        text: ['Reconnecting…', changesSaid(state)].filter(Boolean).join(' '),
        short: 'Connecting…',
        more: 'Connection lost. Trying to reconnect.',
      }
    case 'polling':
      return {
        icon: Eye,
        text: ['Live editing is blocked by this network', changesSaid(state)]
          .filter(Boolean)
          .join(', '),
        short: 'Read-only',
        more: 'The document is read-only and refreshes every few seconds. You can edit again, and unsent changes are sent, when a live connection works.',
        tone: 'warn',
      }
    case 'read-only':
      return readOnly[state.because]
    case 'ended':
      return ended[state.because]
  }
}

/** Who may not write but suggests is not told that nothing can be done. */
const suggesting: Said = {
  icon: PencilLine,
  text: 'You can comment and suggest',
  short: 'Suggesting',
  more: 'Your edits become suggestions that an editor accepts or rejects.',
}

export function StateLine({ session }: { readonly session: DocumentSession }) {
  const state = useStore(session.saveState)
  const suggests = useStore(modesOf(session).mode) === 'suggesting'
  useRoleNotice(session)
  const known = suggests && state.kind === 'read-only' ? suggesting : saidOf(state)
  const said = withUnsent(known, state)
  const { icon: Icon, more, tone } = said
  return (
    <span role="status" className="state-line">
      <button
        type="button"
        className="button state-button"
        title={more}
        data-kind={state.kind}
        data-tone={tone}
        onClick={() => act(state, said)}
      >
        <Icon aria-hidden />
        <Words {...said} />
      </button>
    </span>
  )
}

/** On a phone a word of it is to be seen, and the rest is there to be heard. */
function Words({ text, short = text }: Said) {
  const narrow = useStore(isNarrow)
  if (!narrow || short === text) return <span className="state-words">{text}</span>
  return (
    <>
      <span className="state-words" aria-hidden>
        {short}
      </span>
      <span className="visually-hidden">{text}</span>
    </>
  )
}

/** Fingers and keys see no title. */
function act(state: SaveState, { text, more }: Said): void {
  if (state.kind === 'ended' && state.because === 'reload') location.reload()
  else notify(`${text.replace(/…$/, '')}. ${more}`)
}

const roleSaid: Readonly<Record<Role, string>> = {
  owner: 'You are now the owner of this document.',
  editor: 'You can now edit this document.',
  commenter: 'You can now read, comment and suggest.',
  viewer: 'You now have view-only access.',
}

/**
 * Says when what this person may do has changed under their hands. Who made it knows, and who
 * signed in as somebody else did that themselves.
 */
function useRoleNotice({ role: current, account, slug }: DocumentSession): void {
  const role = useStore(current)
  const last = useRef({ role, actor: account.get()?.actor_id })
  /** What was said of the role before is not true any more. */
  const untell = useRef<() => void>(undefined)
  useEffect(() => {
    const before = last.current
    const actor = account.get()?.actor_id
    last.current = { role, actor }
    if (before.role === undefined || role === undefined || role === before.role) return
    const isAnother = before.actor !== undefined && before.actor !== actor
    const isSaid = role === 'owner' ? wasMadeHere(slug) || isNewlyClaimed(slug) : wasGivenBack(slug)
    untell.current?.()
    untell.current = isAnother || isSaid ? undefined : notify(roleSaid[role])
  }, [role, account, slug])
}
