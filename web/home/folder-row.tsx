/** Folders of one's own on home: one of them, where one is among them, and a new one. */
import { Ellipsis, Folder as FolderIcon, FolderPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Folder } from '../api/library.ts'
import type { DocumentList } from './document-list.ts'
import { addressOfFolder } from './home-lists.ts'
import { OnFirstUse } from './on-first-use.tsx'

const load = () => import('./folder-menu.tsx')
const FolderMenu = lazy(async () => ({ default: (await load()).FolderMenu }))
const NewFolderDialog = lazy(async () => ({ default: (await load()).NewFolderDialog }))

export interface FolderRowProps {
  readonly folder: Folder
  readonly list: DocumentList
}

export function FolderRow({ folder, list }: FolderRowProps) {
  const button = {
    className: 'button button-icon row-more',
    label: `Options for folder ${folder.name}`,
    face: <Ellipsis aria-hidden />,
  }
  return (
    <li className="row">
      <a className="row-link row-folder" href={addressOfFolder(folder.id)}>
        <FolderIcon aria-hidden className="row-icon" />
        <span className="row-title">{folder.name}</span>
      </a>
      <OnFirstUse {...button} load={load}>
        <FolderMenu {...button} folder={folder} list={list} />
      </OnFirstUse>
    </li>
  )
}

/** The way back to the root. */
export const FolderPath = ({ path }: { readonly path: readonly Folder[] }) => (
  <nav className="folder-path" aria-label="Folder">
    <ol>
      <li>
        <a href={addressOfFolder(undefined)}>My documents</a>
      </li>
      {path.map(({ id, name }, index) => (
        <li key={id}>
          <a
            href={addressOfFolder(id)}
            aria-current={index === path.length - 1 ? 'page' : undefined}
          >
            {name}
          </a>
        </li>
      ))}
    </ol>
  </nav>
)

interface NewFolderProps {
  /** Where it is made. */
  readonly folder: string | undefined
  readonly list: DocumentList
}

export function NewFolder({ folder, list }: NewFolderProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button new-folder"
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => setAsked(true)}
      >
        <FolderPlus aria-hidden />
        New folder
      </button>
      {isAsked ? (
        <Suspense>
          <NewFolderDialog folder={folder} list={list} onClose={() => setAsked(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** What stands where there are no rows comes with them. */
export { Empty, EmptyFolder, NothingFound } from './empty.tsx'
