/** Which threads are looked at, and whether one hears of this document. */
import { BellOff, BellRing, Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { mute } from '../api/threads.ts'
import { MenuPortal } from '../platform/menu-portal.tsx'
import { useStore } from '../platform/store.ts'
import { leavesWriter } from '../platform/writers-place.ts'
import { useDiscussion, useSpeaker } from './discussion-context.tsx'
import { type Filter, openOnes } from './discussion-state.ts'
import { speakersIn } from './shown.ts'

const shownMax = 8

const kinds = { open: 'Open', mine: 'My comments', resolved: 'Resolved' } as const

export function FilterMenu({ count }: { readonly count: number }) {
  const { discussion, threads, act, session } = useDiscussion()
  const filter = useStore(discussion.filter)
  const isMuted = useStore(threads.isMuted)
  const choose = (next: Filter) => {
    discussion.filter.set(next)
    threads.showResolved(next.kind === 'resolved')
  }
  const setMuted = () =>
    act([], async () => {
      await mute(session.slug, { muted: !isMuted })
      threads.setMuted(!isMuted)
    })
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button filter-button">
        <FilterName filter={filter} />
        <span className="filter-count">{count}</span>
        <ChevronDown aria-hidden />
      </DropdownMenu.Trigger>
      <MenuPortal>
        <DropdownMenu.Content
          className="menu float"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={leavesWriter}
        >
          <DropdownMenu.RadioGroup value={keyOf(filter)}>
            {(['open', 'mine', 'resolved'] as const).map((kind) => (
              <Choice key={kind} value={kind} onChoose={() => choose({ kind })}>
                {kinds[kind]}
              </Choice>
            ))}
            <Speakers filter={filter} choose={choose} />
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-rule" />
          <DropdownMenu.Item className="menu-item" onSelect={() => void setMuted()}>
            {isMuted ? <BellRing aria-hidden /> : <BellOff aria-hidden />}
            {isMuted ? 'Unmute this document' : 'Mute this document'}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </MenuPortal>
    </DropdownMenu.Root>
  )
}

const keyOf = (filter: Filter): string =>
  filter.kind === 'by' ? `by ${filter.actor}` : filter.kind

interface ChoiceProps {
  readonly value: string
  readonly onChoose: () => void
  readonly children: React.ReactNode
}

const Choice = ({ value, onChoose, children }: ChoiceProps) => (
  <DropdownMenu.RadioItem className="menu-item" value={value} onSelect={onChoose}>
    {children}
    <DropdownMenu.ItemIndicator className="menu-check">
      <Check aria-hidden />
    </DropdownMenu.ItemIndicator>
  </DropdownMenu.RadioItem>
)

function FilterName({ filter }: { readonly filter: Filter }) {
  if (filter.kind === 'by') return <SpeakerName id={filter.actor} />
  return kinds[filter.kind]
}

const SpeakerName = ({ id }: { readonly id: string }) => useSpeaker(id).called

interface SpeakersProps {
  readonly filter: Filter
  readonly choose: (filter: Filter) => void
}

function Speakers({ choose }: SpeakersProps) {
  const { threads } = useDiscussion()
  const all = useStore(threads.all)
  const speakers = speakersIn(all).slice(0, shownMax)
  if (speakers.length < 2) return null
  return (
    <>
      <DropdownMenu.Separator className="menu-rule" />
      {speakers.map((actor) => (
        <Choice key={actor} value={`by ${actor}`} onChoose={() => choose({ ...openBy, actor })}>
          <SpeakerName id={actor} />
        </Choice>
      ))}
    </>
  )
}

const openBy = { kind: 'by' } as const

export const isOpenOnes = (filter: Filter): boolean => filter.kind === openOnes.kind
