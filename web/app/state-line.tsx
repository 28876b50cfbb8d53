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
import { countWords } from '../platform/count-words.ts'
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
  if (unkept > 0) return `${counted(unkept)} only in this page: keep it open`
  return kept > 0 ? `${counted(kept)} kept on this device` : undefined
}

/** Reloading would lose what is in the page alone. */
function whyOffline({ signInEnded: isSignedOut, unkept }: Away): string {
  if (isSignedOut !== true) {
    return 'The service cannot be reached. The page keeps trying, and saves what it can then.'
  }
  return unkept > 0
    ? 'Your sign-in at the proxy has ended: sign in again in another tab.'
    : signInEnded
}

const unsentSaid = (counts: OutgoingCounts): string => {
  const said = Object.entries(counts).map(([one, count]) => countWords(count, one))
  return `Not sent yet: ${said.join(', ')}`
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
        more: 'The service does not have this yet. Keep this page open until it does.',
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
    text: 'Read-only: open it by a link to write',
    short: 'Read-only',
    more: 'Whoever knows the address can read this document. Ask for an editor link to write in it.',
  },
  viewer: {
    icon: Eye,
    text: 'Read-only: you have a viewer link',
    short: 'Read-only',
    more: 'You can read this document. Ask its owner for an editor link to write in it.',
  },
  commenter: {
    icon: MessageSquare,
    text: 'Read-only: you have a commenter link',
    short: 'Read-only',
    more: 'You can read and comment. Ask its owner for an editor link to write in it.',
  },
  locked: {
    icon: Lock,
    text: 'Read-only: locked by its owner',
    short: 'Read-only',
    more: 'The owner has locked this document. Nobody else can change it until it is unlocked.',
  },
}

const ended: Readonly<Record<EndedBecause, Said>> = {
  archived: {
    icon: Archive,
    text: 'This document was archived',
    short: 'Archived',
    more: 'Nobody can open it until it is restored.',
  },
  deleted: {
    icon: CloudOff,
    text: 'This document was deleted',
    short: 'Deleted',
    more: 'The service has no such document any more.',
    tone: 'warn',
  },
  'no-access': {
    icon: Lock,
    text: 'You no longer have access',
    short: 'No access',
    more: 'The link or the session by which you came here is not good any more.',
    tone: 'warn',
  },
  reload: {
    icon: RefreshCw,
    text: 'Reload to go on',
    short: 'Reload',
    more: 'The service has moved on and this page is too old for it. Reload it to go on writing.',
    tone: 'warn',
  },
  address: {
    icon: CloudOff,
    text: 'Opened under another address than the service’s',
    short: 'Wrong address',
    more: 'The service takes no changes from this address. Whoever runs it has to set BASE_URL to it.',
    tone: 'warn',
  },
}

function saidOf(state: SaveState): Said {
  switch (state.kind) {
    case 'loading':
      return { icon: LoaderCircle, text: 'Opening…', more: 'The document is on its way.' }
    case 'saved':
      return {
        icon: CloudCheck,
        text: 'Saved',
        more: 'Everything here is on the service’s disk.',
      }
    case 'saving':
      return {
        icon: CloudUpload,
        text: 'Saving…',
        more: `The service has not yet confirmed ${counted(state.changes)}.`,
      }
    case 'unnamed':
      return {
        icon: SquarePen,
        text: 'Waiting for a name',
        short: 'Waiting',
        more: 'Nothing you wrote has been sent yet: the service has not given you a name. It is asked again by itself.',
        tone: 'warn',
      }
    case 'offline':
      return {
        icon: CloudOff,
        text: ['Offline', changesSaid(state)].filter(Boolean).join(', '),
        short: 'Offline',
        more: whyOffline(state),
        tone: 'warn',
      }
    case 'reconnecting':
      return {
        icon: RefreshCw,
        text: ['Reconnecting…', changesSaid(state)].filter(Boolean).join(' '),
        short: 'Connecting…',
        more: 'The connection to the service was lost and is being made anew.',
      }
    case 'polling':
      return {
        icon: Eye,
        text: ['This network does not let live connections through', changesSaid(state)]
          .filter(Boolean)
          .join(', '),
        short: 'Read-only',
        more: 'The document is read-only here and is refreshed every few seconds. You can write again, and what you typed before is sent, once a live connection works.',
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
  more: 'What you type changes nothing: it is a suggestion that an editor accepts or rejects.',
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
  owner: 'You own this document now.',
  editor: 'You can edit this document now.',
  commenter: 'You can read, comment and suggest now.',
  viewer: 'You can only read now.',
}

/**
 * Says when what this person may do has changed under their hands. Who made it knows, and who
 * signed in as somebody else did that themselves.
 */
function useRoleNotice({ role: current, account, slug }: DocumentSession): void {
  const role = useStore(current)
  const last = useRef({ role, actor: account.get()?.actor_id })
  useEffect(() => {
    const before = last.current
    const actor = account.get()?.actor_id
    last.current = { role, actor }
    if (before.role === undefined || role === undefined || role === before.role) return
    const isAnother = before.actor !== undefined && before.actor !== actor
    const isSaid = role === 'owner' ? wasMadeHere(slug) || isNewlyClaimed(slug) : wasGivenBack(slug)
    if (!isAnother && !isSaid) notify(roleSaid[role])
  }, [role, account, slug])
}
