/** The buttons for emphasis and links, in the toolbar over a selection and in the one for touch. */
import { Bold, Code, Italic, Link, type LucideIcon, Strikethrough } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { Toolbar } from 'radix-ui'
import { type Emphasis, toggleEmphasis } from '../editor/commands/marks.ts'
import type { PageActions } from '../editor/commands/page-actions.ts'
import { ariaKey, keyName } from '../platform/key-names.ts'
import { perform } from './perform.ts'
import type { SelectionLook } from './selection-toolbar.ts'

interface Format {
  readonly mark: Emphasis | 'link'
  readonly label: string
  readonly icon: LucideIcon
  readonly keys: string
}

const formats: readonly Format[] = [
  { mark: 'strong', label: 'Bold', icon: Bold, keys: 'Mod-b' },
  { mark: 'em', label: 'Italic', icon: Italic, keys: 'Mod-i' },
  { mark: 'strike', label: 'Strikethrough', icon: Strikethrough, keys: 'Mod-Shift-x' },
  { mark: 'code', label: 'Code', icon: Code, keys: 'Mod-e' },
  { mark: 'link', label: 'Link', icon: Link, keys: 'Mod-k' },
]

interface FormatButtonsProps {
  readonly view: EditorView
  readonly actions: PageActions
  readonly marks: SelectionLook['marks']
  readonly isLinkable?: boolean
}

export function FormatButtons({ view, actions, marks, isLinkable = true }: FormatButtonsProps) {
  const shown = formats.filter(({ mark }) => isLinkable || mark !== 'link')
  return shown.map(({ mark, label, icon: Icon, keys }) => (
    <Toolbar.Button
      key={mark}
      className="button button-icon"
      aria-label={label}
      aria-pressed={marks[mark]}
      aria-keyshortcuts={ariaKey(keys)}
      title={`${label} (${keyName(keys)})`}
      onClick={() => (mark === 'link' ? actions.run('link') : perform(view, toggleEmphasis(mark)))}
    >
      <Icon aria-hidden />
    </Toolbar.Button>
  ))
}
