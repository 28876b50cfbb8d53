/** A document's page: the bar, the text in its column, and the margin that is kept for cards. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { AccountLayer } from '../account/account-layer.tsx'
import { ApiError } from '../api/http.ts'
import { FollowNote } from '../authors/follow-note.tsx'
import { LegendPlace } from '../authors/legend-place.tsx'
import type { Editor } from '../editor/editor.ts'
import { Find } from '../find/find.tsx'
import { History } from '../history/history.tsx'
import { waitingCount } from '../inbox/waiting-count.ts'
import { openSession } from '../live/open-session.ts'
import type { DocumentSession } from '../live/session.ts'
import { followAddress } from '../outline/block-links.ts'
import { Outline } from '../outline/outline.tsx'
import { claimChanges, isNewlyClaimed } from '../platform/claims.ts'
import { isDraft } from '../platform/drafts.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { dismissAllNotices, notify } from '../platform/notices.ts'
import { rememberDocument } from '../platform/recent-documents.ts'
import { useStore } from '../platform/store.ts'
import { takeCopied } from '../platform/this-browser.ts'
import { focusUnlessElsewhere } from '../platform/writers-place.ts'
import { Offers } from '../share/offers.tsx'
import { SourcePane } from '../source/source-pane.tsx'
import { Suggesting } from '../suggesting/suggesting.tsx'
import { Discussion } from '../threads/discussion.tsx'
import { threadsOf } from '../threads/thread-store.ts'
import { ToolsLayer } from '../tools/tools-layer.tsx'
import { Since, useVisit } from '../visits/since.tsx'
import { cameByBadLink } from './bad-link.ts'
import { ClaimNote } from './claim-note.tsx'
import { animateColumn } from './column-animation.ts'
import { EmptyChips } from './empty-chips.tsx'
import { KeepChip } from './keep-chip.tsx'
import { caretOf, type KeptCaret, restoreCaret } from './kept-caret.ts'
import { LostTextPanel } from './lost-text.tsx'
import { NameChip } from './name-chip.tsx'
import { NoticeRegion } from './notice-region.tsx'
import { mountPageEditor, type PageEditor } from './page-editor.ts'
import { type ReopenedFrom, useReopening } from './reopening.ts'
import { TopBar } from './top-bar.tsx'
import { VacatedNote } from './vacated-note.tsx'

const backWords: Readonly<Record<ReopenedFrom, string>> = {
  'no-access': 'You have access again.',
  archived: 'The document was restored.',
}

export function DocumentPage({ slug }: { readonly slug: string }) {
  const [session, setSession] = useState<DocumentSession>()
  /** How often one has come back to it. */
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const opened = openSession(slug)
    setSession(opened)
    return () => opened.close()
  }, [slug, turn])
  const comeBack = useCallback((from: ReopenedFrom) => {
    setTurn((last) => last + 1)
    dismissAllNotices()
    notify(backWords[from])
  }, [])
  if (session === undefined) return null
  return <OpenDocument session={session} isBack={turn > 0} onBack={comeBack} />
}

interface OpenDocumentProps {
  readonly session: DocumentSession
  /** It could not be opened meanwhile. */
  readonly isBack: boolean
  readonly onBack: (from: ReopenedFrom) => void
}

const unavailable = laterPart(async () => (await import('./unavailable.tsx')).Unavailable)

/** That it cannot be had is said, and there is no more to do. */
const noMore = () => undefined

function OpenDocument({ session, isBack, onBack }: OpenDocumentProps) {
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<PageEditor>()
  const left = useRef<KeptCaret>(undefined)
  const copy = useStore(session.copy)
  const synced = useStore(session.synced)
  const state = useStore(session.saveState)
  useEffect(() => {
    if (place.current === null) return
    const mounted = mountPageEditor(place.current, { session, copy })
    setEditor(mounted)
    restoreCaret(mounted.view, left.current)
    const stopSliding = animateColumn(place.current)
    return () => {
      stopSliding()
      setEditor(undefined)
      left.current = caretOf(mounted.view)
      mounted.destroy()
    }
  }, [session, copy])
  useEffect(() => {
    if (isBack && editor !== undefined) focusUnlessElsewhere(editor.view.dom)
  }, [isBack, editor])
  const isEnded = state.kind === 'ended' && !synced
  useEffect(() => {
    if (isEnded) dismissAllNotices()
  }, [isEnded])
  useTitle(editor, session)
  useEffect(() => editor && followAddress(editor.view, session), [editor, session])
  useVisit(session)
  useEffect(() => {
    const threads = threadsOf(session)
    return () => threads.close()
  }, [session])
  useDraft(editor, session)
  useBadLinkNotice(session)
  useCopyNotice(session)
  useReopening(session, onBack)
  if (isEnded) {
    return (
      <>
        <Later
          part={unavailable}
          props={{ session, because: state.because, onBack: () => onBack('archived') }}
          onMissing={noMore}
        />
        <Accounts session={session} />
        <NoticeRegion below={<LostTextPanel session={session} />} />
      </>
    )
  }
  const parts = editor && { session, editor, ...editor, actions: editor.tools.actions }
  return (
    <>
      <a className="skip" href="#text">
        Skip to the text
      </a>
      {parts === undefined ? (
        <header className="bar" />
      ) : (
        <>
          <TopBar {...parts} />
          <Find {...parts} />
          <Since {...parts} />
          <History {...parts} />
        </>
      )}
      <main className="page" id="text" data-synced={synced}>
        {parts && <Outline {...parts} />}
        <Claimed session={session} />
        <div className="column" ref={place} />
        {parts && (
          <>
            <EmptyChips {...parts} />
            <Suggesting {...parts} />
            <ToolsLayer {...parts} />
            <Discussion {...parts} />
          </>
        )}
        <LegendPlace session={session} />
        {parts && <SourcePane {...parts} />}
      </main>
      <FollowNote session={session} />
      <Accounts session={session} />
      <NoticeRegion
        below={
          <>
            <NameChip session={session} />
            <KeepChip session={session} />
            <LostTextPanel session={session} />
          </>
        }
      >
        {parts && <LargeDocument {...parts} />}
        {parts && <VacatedNote {...parts} />}
        <Offers session={session} />
      </NoticeRegion>
    </>
  )
}

const largeDocumentNote = laterPart(
  async () => (await import('./large-document-note.tsx')).LargeDocumentNote,
)

function LargeDocument(props: { readonly session: DocumentSession; readonly editor: PageEditor }) {
  const { isLarge } = useStore(props.editor.slice)
  return isLarge ? <Later part={largeDocumentNote} props={props} /> : null
}

/** Whether this browser has just become the owner, and has not read that yet. */
function Claimed({ session }: { readonly session: DocumentSession }) {
  const isOwner = useStore(session.role) === 'owner'
  useStore(claimChanges)
  if (!isOwner || !isNewlyClaimed(session.slug)) return null
  return <ClaimNote session={session} />
}

/** One stays at the document whoever one becomes. */
function Accounts({ session }: { readonly session: DocumentSession }) {
  const ready = async () => {
    if (await session.allSaved()) return
    throw new ApiError(
      0,
      'UNSAVED',
      'Some of your changes are not saved yet. Try again when they are.',
    )
  }
  return (
    <AccountLayer
      account={useStore(session.account)}
      ready={ready}
      onSignedIn={(account) => session.becameAccount(account)}
    />
  )
}

/** A document that was begun without a network becomes one of the service. */
function useDraft(editor: Editor | undefined, session: DocumentSession): void {
  useEffect(() => {
    if (editor === undefined || !isDraft(session.slug)) return
    let stop: (() => void) | undefined
    let isOver = false
    import('./draft.ts').then(
      ({ sendDraft }) => {
        if (!isOver) stop = sendDraft(session, editor)
      },
      // Until it can be loaded the draft stays on this device.
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [editor, session])
}

/** Who sees the document in spite of a bad link is told why it is not as the link promised. */
function useBadLinkNotice({ hasArrived }: DocumentSession): void {
  const isHere = useStore(hasArrived)
  useEffect(() => {
    if (isHere && cameByBadLink) {
      notify('The link you followed no longer works. Ask for a new one.', 'problem')
    }
  }, [isHere])
}

/** Who is in a copy that looks like the original is told so, once. */
function useCopyNotice({ hasArrived, slug }: DocumentSession): void {
  const isHere = useStore(hasArrived)
  useEffect(() => {
    const copied = isHere ? takeCopied(slug) : undefined
    if (copied === undefined) return
    const { title, imagesLeft: left } = copied
    const images = left === 1 ? 'One image is' : `${left} images are`
    const rest = left === 0 ? '' : ` ${images} still linked to the original.`
    notify(`This is a copy of “${title === '' ? 'Untitled' : title}”.${rest}`)
  }, [isHere, slug])
}

/** The window's title and this device's list follow the first line. */
function useTitle(editor: Editor | undefined, session: DocumentSession): void {
  useEffect(() => {
    if (editor === undefined) return
    const waits = waitingCount(session)
    const show = () => {
      const { title } = editor.slice.get()
      const count = waits.get() === 0 ? '' : `(${waits.get()}) `
      document.title = `${count}${title === '' ? 'Untitled' : title} · Scriptorium`
      if (session.synced.get()) {
        const isOwn = session.role.get() === 'owner'
        const account = session.account.get()
        const of = account?.guest === false ? { of: account.actor_id } : {}
        rememberDocument({ slug: session.slug, title, at: Date.now(), isOwn, ...of })
      }
    }
    const { slice } = editor
    const shown = [slice, waits, session.synced, session.role, session.account]
    const stops = shown.map((store) => store.subscribe(show))
    show()
    return () => {
      for (const stop of stops) stop()
    }
  }, [editor, session])
}
