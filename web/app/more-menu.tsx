/** The bar's last menu: what is needed now and then, and on a phone what has no place beside it. */

import {
  Ellipsis,
  History,
  Keyboard,
  LetterText,
  LibraryBig,
  MessageSquareText,
  MessageSquareWarning,
  Plus,
  Printer,
  Search,
} from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { under } from '../api/base.ts'
import { lastFailure } from '../api/failures.ts'
import { troubleWords } from '../api/trouble.ts'
import { modesOf } from '../editor/mode.ts'
import { useMayReadHistory } from '../history/history.tsx'
import type { DocumentSession } from '../live/session.ts'
import { keyName } from '../platform/key-names.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { lazyDialog } from '../platform/lazy-dialog.tsx'
import { isCoarse, isNarrow } from '../platform/media.ts'
import { notify } from '../platform/notices.ts'
import { takeReports } from '../platform/report-offer.ts'
import { useStore } from '../platform/store.ts'
import { BarMenu, MenuAction, MenuRule } from './bar-menu.tsx'
import { ModeEntries } from './mode-menu.tsx'
import { openNewDocument } from './new-document.ts'
import type { PageEditor } from './page-editor.ts'
import { ViewEntries } from './view-menu.tsx'

const { Dialog: WordCount } = lazyDialog(async () => (await import('./word-count.tsx')).WordCount)

const { Dialog: ReportDialog } = lazyDialog(
  async () => (await import('./report-dialog.tsx')).ReportDialog,
)

const { Dialog: ArchiveDialog } = lazyDialog(
  async () => (await import('./archive-dialog.tsx')).ArchiveDialog,
)

const documentEntries = laterPart(
  async () => (await import('./document-entries.tsx')).EntriesOfDocument,
)

export interface MoreMenuProps {
  readonly session: DocumentSession
  readonly editor: PageEditor
}

export function MoreMenu({ session, editor }: MoreMenuProps) {
  const { actions } = editor.tools
  const [counts, setCounts] = useState(false)
  const mayReadHistory = useMayReadHistory(session)
  const [archives, setArchives] = useState(false)
  const closeArchive = useCallback(() => setArchives(false), [])
  const [reports, setReports] = useState(false)
  const closeReport = useCallback(() => setReports(false), [])
  useEffect(() => offerReport(() => setReports(true)), [])
  const { title } = useStore(editor.slice)
  const isByTouch = useStore(isCoarse)
  const closeCounts = useCallback(() => setCounts(false), [])
  const face = <Ellipsis aria-hidden />
  return (
    <>
      <BarMenu
        label="More"
        className="button button-icon"
        face={face}
        onPreload={() => void documentEntries.load().catch(() => undefined)}
      >
        {useStore(isNarrow) ? (
          <>
            <ModeSection session={session} />
            <ViewEntries session={session} />
            <MenuRule />
          </>
        ) : null}
        <MenuAction
          icon={<Search aria-hidden />}
          label="Find and replace"
          keys={keyName('Mod-h')}
          onChoose={() => actions.run('replace')}
        />
        {mayReadHistory ? (
          <MenuAction
            icon={<History aria-hidden />}
            label="Version history"
            keys={keyName('Mod-Alt-Shift-h')}
            onChoose={() => actions.run('history')}
          />
        ) : null}
        <MenuAction
          icon={<MessageSquareText aria-hidden />}
          label="Comments"
          onChoose={() => actions.run('comments')}
        />
        <MenuAction
          icon={<LetterText aria-hidden />}
          label="Word count"
          onChoose={() => setCounts(true)}
        />
        {isByTouch ? null : (
          <MenuAction
            icon={<Keyboard aria-hidden />}
            label="Keyboard shortcuts"
            keys={keyName('Mod-/')}
            onChoose={() => actions.run('shortcuts')}
          />
        )}
        <MenuAction
          icon={<Printer aria-hidden />}
          label="Print"
          keys={keyName('Mod-p')}
          onChoose={() => window.print()}
        />
        <MenuAction
          icon={<MessageSquareWarning aria-hidden />}
          label="Report a problem…"
          onChoose={() => setReports(true)}
        />
        <MenuRule />
        <Later
          part={documentEntries}
          props={{ session, editor, onArchive: () => setArchives(true) }}
        />
        <MenuRule />
        <MenuAction icon={<Plus aria-hidden />} label="New document" onChoose={openAnother} />
        <MenuAction
          icon={<LibraryBig aria-hidden />}
          label="All documents"
          onChoose={() => location.assign(under('/'))}
        />
      </BarMenu>
      {archives ? <ArchiveDialog session={session} title={title} onClose={closeArchive} /> : null}
      {reports ? <ReportDialog session={session} onClose={closeReport} /> : null}
      {counts ? <WordCount state={editor.view.state} onClose={closeCounts} /> : null}
    </>
  )
}

/** What the service itself calls its own fault can be reported at once. */
function offerReport(report: () => void): () => void {
  const untake = takeReports(report)
  const unsubscribe = lastFailure.subscribe(() => {
    if (lastFailure.get()?.status !== 500) return
    notify('Something went wrong on the server.', 'problem', { label: 'Report…', run: report })
  })
  return () => {
    untake()
    unsubscribe()
  }
}

/** Where there is more than one mode to choose from. */
function ModeSection({ session }: Pick<MoreMenuProps, 'session'>) {
  if (useStore(modesOf(session).allowed).length < 2) return null
  return (
    <>
      <ModeEntries session={session} />
      <MenuRule />
    </>
  )
}

function openAnother(): void {
  openNewDocument().catch((error) => notify(troubleWords(error), 'problem'))
}
