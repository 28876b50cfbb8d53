/**
 * What one may do with a document of a list, and what will be true after it. Loaded on first use.
 */
import {
  Archive,
  ArchiveRestore,
  ExternalLink,
  Eye,
  Files,
  FolderInput,
  Link,
  ListX,
  PencilLine,
  Trash2,
  UserPlus,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { under } from '../api/base.ts'
import { openingLink } from '../api/documents.ts'
import { archiveDocument, restoreDocument } from '../api/life.ts'
import { troubleWords } from '../api/trouble.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { copyText } from '../platform/clipboard.ts'
import { isDraft } from '../platform/drafts.ts'
import { notify } from '../platform/notices.ts'
import { forgetDocument, renameRecent } from '../platform/recent-documents.ts'
import { copiedWords } from '../share/words.ts'
import { type Lists, recentChanges } from './home-lists.ts'
import { Entry, LazyMenu, Rule } from './lazy-menu.tsx'
import { type ListEntry, shownTitle } from './list-entry.ts'
import { MoveDialog } from './move-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import type { MenuButton } from './on-first-use.tsx'
import { renameDocument } from './renaming.ts'

const ShareFromHome = lazy(async () => ({
  default: (await import('./share-from-home.tsx')).ShareFromHome,
}))

export interface RowMenuProps extends MenuButton {
  readonly document: ListEntry
  readonly lists: Lists
}

export function RowMenu({ document, lists, ...button }: RowMenuProps) {
  const { slug, place, role } = document
  const [deletes, setDeletes] = useState(false)
  const [moves, setMoves] = useState(false)
  const [renames, setRenames] = useState(false)
  const [shares, setShares] = useState(false)
  const isOwner = role === 'owner'
  const mayEdit = isOwner || role === 'editor'
  return (
    <>
      <LazyMenu {...button}>
        {place === 'archived' ? (
          <>
            {mayEdit ? (
              <Entry
                icon={<Eye aria-hidden />}
                label="Preview"
                more="The document stays archived."
                onChoose={() => location.assign(under(`/d/${slug}`))}
              />
            ) : null}
            <Entry
              icon={<ArchiveRestore aria-hidden />}
              label="Restore"
              more="Everyone who had access gets it back."
              onChoose={() => restore(document, lists)}
            />
            {isOwner ? (
              <>
                <Rule />
                <Entry
                  icon={<Trash2 aria-hidden />}
                  label="Delete forever…"
                  more="This cannot be undone."
                  isDanger
                  onChoose={() => setDeletes(true)}
                />
              </>
            ) : null}
          </>
        ) : (
          <>
            <Entry
              icon={<ExternalLink aria-hidden />}
              label="Open in a new tab"
              onChoose={() => window.open(under(`/d/${slug}`), '_blank', 'noopener')}
            />
            {mayEdit ? (
              <>
                <Entry
                  icon={<PencilLine aria-hidden />}
                  label="Rename…"
                  onChoose={() => setRenames(true)}
                />
                <Entry
                  icon={<UserPlus aria-hidden />}
                  label="Share…"
                  onChoose={() => setShares(true)}
                />
                <Entry icon={<Link aria-hidden />} label="Copy link" onChoose={() => copy(slug)} />
              </>
            ) : null}
            {isDraft(slug) ? null : (
              <Entry
                icon={<Files aria-hidden />}
                label="Duplicate"
                onChoose={() => void duplicate(document, lists)}
              />
            )}
            {place === 'mine' ? (
              <Entry
                icon={<FolderInput aria-hidden />}
                label="Move to a folder…"
                onChoose={() => setMoves(true)}
              />
            ) : null}
            {mayEdit || place === 'recent' ? <Rule /> : null}
            {mayEdit ? (
              <Entry
                icon={<Archive aria-hidden />}
                label="Archive"
                more="It cannot be opened until it is restored. After 30 days it is deleted forever."
                onChoose={() => archive(document, lists)}
              />
            ) : null}
            {place === 'recent' ? (
              <Entry
                icon={<ListX aria-hidden />}
                label="Remove from this list"
                more="This does not change the document."
                onChoose={() => takeOff(slug)}
              />
            ) : null}
          </>
        )}
      </LazyMenu>
      {renames ? (
        <NameDialog
          title={`Rename ${quoted(document)}`}
          label="Document title"
          action="Rename"
          name={document.title}
          messages={unrenamed}
          onName={(title) => rename(document, title, lists)}
          onClose={() => setRenames(false)}
        />
      ) : null}
      {shares ? (
        <Suspense>
          <ShareFromHome slug={slug} title={document.title} onClose={() => setShares(false)} />
        </Suspense>
      ) : null}
      {moves ? (
        <MoveDialog document={document} lists={lists} onClose={() => setMoves(false)} />
      ) : null}
      {deletes ? (
        <DeleteDialog
          slug={slug}
          title={document.title}
          onDone={() => {
            forgetDocument(slug)
            lists.archived.take(slug)
          }}
          onClose={() => setDeletes(false)}
        />
      ) : null}
    </>
  )
}

const quoted = (document: ListEntry): string => `“${shownTitle(document)}”`

const unrenamed = {
  EDITS_AFFECT_COMMENTS: 'The title has comments. Rename it in the document.',
  DOC_READ_ONLY: 'The owner has locked this document.',
}

async function rename({ slug }: ListEntry, title: string, lists: Lists): Promise<void> {
  await renameDocument(slug, title)
  renameRecent(slug, title)
  recentChanges.set(recentChanges.get() + 1)
  await Promise.all([lists.mine, lists.shared].map((list) => list.refresh()))
}

async function duplicate(document: ListEntry, lists: Lists): Promise<void> {
  try {
    const { duplicateDocument } = await import('./duplicating.ts')
    const left = await duplicateDocument(document.slug)
    const rest = left === 0 ? '' : ` Images that could not be copied: ${left}.`
    notify(`Copied ${quoted(document)} to your documents.${rest}`)
    await lists.mine.refresh()
  } catch (error) {
    complain(error)
  }
}

function complain(error: unknown): void {
  notify(troubleWords(error), 'problem')
}

function copy(slug: string): void {
  const link = openingLink(slug)
  const copied = copyText(link.then(({ url }) => url))
  Promise.all([link, copied]).then(([{ role }]) => notify(copiedWords(role)), complain)
}

function takeOff(slug: string): void {
  forgetDocument(slug)
  recentChanges.set(recentChanges.get() + 1)
}

/** The row goes at once, and comes back where the service says no. */
function archive(document: ListEntry, lists: Lists): void {
  const { slug } = document
  const putBacks = [lists.mine, lists.everywhere, lists.shared].map((list) => list.take(slug))
  const putBack = () => {
    for (const back of putBacks) back()
  }
  const undo = () =>
    restoreDocument(slug).then(() => {
      putBack()
      void lists.archived.refresh()
    }, complain)
  archiveDocument(slug).then(
    () => {
      notify(`${quoted(document)} archived.`, 'plain', { label: 'Undo', run: () => void undo() })
      void lists.archived.refresh()
    },
    (error) => {
      putBack()
      complain(error)
    },
  )
}

function restore(document: ListEntry, lists: Lists): void {
  const putBack = lists.archived.take(document.slug)
  restoreDocument(document.slug).then(
    () => {
      notify(`${quoted(document)} restored.`)
      void lists.mine.refresh()
    },
    (error) => {
      putBack()
      complain(error)
    },
  )
}
