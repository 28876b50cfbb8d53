/** How a comment is felt about: one sign an actor of each kind; one's own are taken back by a click. */
import { SmilePlus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { agree, type Comment, feel, type Sentiment, takeReaction } from '../api/threads.ts'
import { MenuPortal } from '../platform/menu-portal.tsx'
import { leavesWriter } from '../platform/writers-place.ts'
import { useDiscussion } from './discussion-context.tsx'
import { sentiments } from './words.ts'

interface ReactionsProps {
  readonly thread: string
  readonly comment: Comment
}

interface Sign {
  readonly key: Sentiment | '+1'
  readonly face: string
  readonly label: string
  readonly actors: readonly string[]
}

const kinds = Object.keys(sentiments) as readonly Sentiment[]

function signsOf({ plus_ones: plus = [], sentiments: felt = [] }: Comment): readonly Sign[] {
  const of = (key: Sentiment) =>
    felt.filter(({ sentiment }) => sentiment === key).map(({ actor_id: id }) => id)
  return [
    { key: '+1' as const, face: '👍', label: 'Agree', actors: plus },
    ...kinds.map((key) => {
      const [face, label] = sentiments[key]
      return { key, face, label, actors: of(key) }
    }),
  ]
}

function useReact({ thread, comment }: ReactionsProps) {
  const { act, session, me } = useDiscussion()
  const { slug } = session
  return ({ key, actors }: Sign) => {
    const kind = key === '+1' ? ('plusones' as const) : ('sentiments' as const)
    const isOwn = actors.includes(me)
    return act([thread], () => {
      if (isOwn) return takeReaction(slug, comment.id, { kind, actor: me })
      return key === '+1' ? agree(slug, comment.id) : feel(slug, comment.id, key)
    })
  }
}

/** Those that somebody has given. */
export function Reactions(props: ReactionsProps) {
  const { me, standing, threads } = useDiscussion()
  const react = useReact(props)
  const given = signsOf(props.comment).filter(({ actors }) => actors.length > 0)
  if (given.length === 0) return null
  return (
    <div className="reactions">
      {given.map((sign) => {
        const names = sign.actors.map((id) =>
          id === me ? 'you' : (threads.people.get().get(id)?.name ?? 'somebody'),
        )
        return (
          <button
            key={sign.key}
            type="button"
            className="reaction"
            aria-pressed={sign.actors.includes(me)}
            aria-label={`${sign.label}: ${names.join(', ')}`}
            title={`${sign.label}: ${names.join(', ')}`}
            disabled={!standing.mayComment}
            onClick={() => void react(sign)}
          >
            <span aria-hidden>{sign.face}</span> {sign.actors.length}
          </button>
        )
      })}
    </div>
  )
}

export function AddReaction(props: ReactionsProps) {
  const react = useReact(props)
  const { me } = useDiscussion()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button button-icon" aria-label="React" title="React">
        <SmilePlus aria-hidden />
      </DropdownMenu.Trigger>
      <MenuPortal>
        <DropdownMenu.Content
          className="menu float reaction-menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={leavesWriter}
          loop
        >
          {signsOf(props.comment).map((sign) => (
            <DropdownMenu.Item
              key={sign.key}
              className="reaction-choice"
              data-own={sign.actors.includes(me) || undefined}
              aria-label={sign.label}
              title={sign.label}
              onSelect={() => void react(sign)}
            >
              {sign.face}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </MenuPortal>
    </DropdownMenu.Root>
  )
}
