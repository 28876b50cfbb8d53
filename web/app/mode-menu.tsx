/**
 * What hands do here: edit, suggest or only look. The button says which, and in another look where
 * it is not editing, so that nobody wonders what becomes of what they type. On a phone the same
 * stands in the bar's last menu.
 */
import { ChevronDown, Eye, PencilLine, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { type EditingMode, modesOf } from '../editor/mode.ts'
import type { DocumentSession } from '../live/session.ts'
import { keyName } from '../platform/key-names.ts'
import { isNarrow } from '../platform/media.ts'
import { useStore } from '../platform/store.ts'
import { BarMenu, type Choice, MenuChoices } from './bar-menu.tsx'

interface ModeProps {
  readonly session: DocumentSession
}

const icons: Readonly<Record<EditingMode, ReactNode>> = {
  editing: <SquarePen aria-hidden />,
  suggesting: <PencilLine aria-hidden />,
  viewing: <Eye aria-hidden />,
}

const choices: readonly Choice<EditingMode>[] = [
  {
    value: 'editing',
    label: 'Editing',
    more: 'Edit the document directly.',
    keys: keyName('Mod-Alt-Shift-z'),
  },
  {
    value: 'suggesting',
    label: 'Suggesting',
    more: 'Edits become suggestions.',
    keys: keyName('Mod-Alt-Shift-x'),
  },
  {
    value: 'viewing',
    label: 'Viewing',
    more: 'Read the document.',
    keys: keyName('Mod-Alt-Shift-c'),
  },
].map((choice) => ({ ...choice, icon: icons[choice.value as EditingMode] }) as Choice<EditingMode>)

const labels: Readonly<Record<EditingMode, string>> = {
  editing: 'Editing',
  suggesting: 'Suggesting',
  viewing: 'Viewing',
}

export function ModeMenu({ session }: ModeProps) {
  const { mode, allowed } = modesOf(session)
  const current = useStore(mode)
  const narrow = useStore(isNarrow)
  if (useStore(allowed).length < 2 || (narrow && current === 'editing')) return null
  const face = (
    <>
      {icons[current]}
      <span className="mode-word">{labels[current]}</span>
      <ChevronDown aria-hidden />
    </>
  )
  return (
    <BarMenu
      label={`Mode: ${labels[current]}`}
      className={`button mode-button mode-${current}`}
      menuClass="bar-menu mode-menu"
      face={face}
    >
      <ModeEntries session={session} />
    </BarMenu>
  )
}

export function ModeEntries({ session }: ModeProps) {
  const { mode, allowed, choose } = modesOf(session)
  const may = useStore(allowed)
  return (
    <MenuChoices
      label="Mode"
      value={useStore(mode)}
      choices={choices.filter(({ value }) => may.includes(value))}
      onChoose={choose}
    />
  )
}
