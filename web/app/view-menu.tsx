/**
 * How the document is shown: as page, source or both, with authors or without, how wide, how large,
 * light or dark. On a phone these stand in the bar's last menu.
 */
import { ChevronDown, Code, Columns2, FileText, Highlighter } from 'lucide-react'
import { authorship } from '../authors/authorship.ts'
import type { DocumentSession } from '../live/session.ts'
import { type Size, textSize, textWidth, type Width } from '../platform/look.ts'
import { hasRoomForTwo, isNarrow } from '../platform/media.ts'
import { useStore } from '../platform/store.ts'
import { type ViewMode, viewMode } from '../source/view-mode.ts'
import { BarMenu, type Choice, MenuChoices, MenuRow, MenuRule, MenuSwitch } from './bar-menu.tsx'
import { chooseTheme, currentTheme, type Theme } from './theme.ts'

export interface ViewProps {
  readonly session: DocumentSession
}

const modes: readonly Choice<ViewMode>[] = [
  { value: 'page', label: 'Page', icon: <FileText aria-hidden /> },
  { value: 'source', label: 'Source', icon: <Code aria-hidden /> },
  { value: 'split', label: 'Page and source', icon: <Columns2 aria-hidden /> },
]
const widths: readonly Choice<Width>[] = [
  { value: 'normal', label: 'Normal' },
  { value: 'wide', label: 'Wide' },
]
const sizes: readonly Choice<Size>[] = [
  { value: 'small', label: 'Small' },
  { value: 'normal', label: 'Normal' },
  { value: 'large', label: 'Large' },
]
const themes: readonly Choice<Theme>[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function ViewMenu({ session }: ViewProps) {
  const face = (
    <>
      View
      <ChevronDown aria-hidden />
    </>
  )
  return (
    <BarMenu label="View" className="button view-button" face={face}>
      <ViewEntries session={session} />
    </BarMenu>
  )
}

export function ViewEntries({ session }: ViewProps) {
  const { shown } = authorship(session)
  const mode = viewMode(session)
  const hasTwo = useStore(hasRoomForTwo)
  const hasNoMargin = useStore(isNarrow)
  const width = useStore(textWidth)
  return (
    <>
      <MenuChoices
        label="Layout"
        value={useStore(mode)}
        choices={hasTwo ? modes : modes.filter(({ value }) => value !== 'split')}
        onChoose={mode.set}
      />
      <MenuRule />
      <MenuSwitch
        icon={<Highlighter aria-hidden />}
        label="Authors"
        isOn={useStore(shown)}
        onSwitch={shown.set}
      />
      <MenuRule />
      {hasNoMargin ? null : (
        <MenuRow label="Width" value={width} choices={widths} onChoose={textWidth.set} />
      )}
      <MenuRow
        label="Text size"
        value={useStore(textSize)}
        choices={sizes}
        onChoose={textSize.set}
      />
      <MenuRow
        label="Theme"
        value={useStore(currentTheme)}
        choices={themes}
        onChoose={chooseTheme}
      />
    </>
  )
}
