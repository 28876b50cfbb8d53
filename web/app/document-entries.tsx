/**
 * What the last menu of the bar does with the document as a whole, each as one's role allows. Loaded
 * when somebody is about to open the menu.
 */

import { Archive, Download, FileBadge, Files, Lock, MessageSquareOff } from 'lucide-react'
import { type Flags, setFlags } from '../api/life.ts'
import { troubleWords } from '../api/trouble.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { MenuAction, MenuRule, MenuSwitch } from './bar-menu.tsx'
import type { PageEditor } from './page-editor.ts'

/** Says why it did not work. */
async function doing(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    notify(troubleWords(error), 'problem')
  }
}

function FlagEntries({ session }: { readonly session: DocumentSession }) {
  const flags = useStore(session.flags)
  const isOwner = useStore(session.role) === 'owner'
  if (!isOwner || flags === undefined) return null
  const set = (changed: Partial<Flags>) => void doing(() => setFlags(session.slug, changed))
  return (
    <>
      <MenuSwitch
        icon={<Lock aria-hidden />}
        label="Locked: only you can edit"
        isOn={flags.read_only}
        onSwitch={(isOn) => set({ read_only: isOn })}
      />
      <MenuSwitch
        icon={<MessageSquareOff aria-hidden />}
        label="Comments off"
        isOn={flags.comments_disabled}
        onSwitch={(isOn) => set({ comments_disabled: isOn })}
      />
      <MenuRule />
    </>
  )
}

export interface DocumentEntriesProps {
  readonly session: DocumentSession
  readonly editor: PageEditor
  readonly onArchive: () => void
}

function DocumentEntries({ session, editor, onArchive }: DocumentEntriesProps) {
  const role = useStore(session.role)
  const { view } = editor
  const { title } = useStore(editor.slice)
  const files = () => import('./download.ts')
  return (
    <>
      <MenuAction
        icon={<Files aria-hidden />}
        label="Duplicate"
        onChoose={() =>
          doing(async () =>
            (await import('./duplicate.ts')).openDuplicate({ view, title, session }),
          )
        }
      />
      <MenuAction
        icon={<Download aria-hidden />}
        label="Download as Markdown"
        onChoose={() => doing(async () => (await files()).downloadMarkdown(view, title))}
      />
      <MenuAction
        icon={<FileBadge aria-hidden />}
        label="Download as OKF"
        onChoose={() => doing(async () => (await files()).downloadOkf(session.slug, title))}
      />
      {role === 'owner' || role === 'editor' ? (
        <MenuAction icon={<Archive aria-hidden />} label="Archive…" onChoose={onArchive} />
      ) : null}
    </>
  )
}

/** All of them. */
export const EntriesOfDocument = (props: DocumentEntriesProps) => (
  <>
    <FlagEntries session={props.session} />
    <DocumentEntries {...props} />
  </>
)
