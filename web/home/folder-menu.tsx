/** What one may do with a folder of one's own. Loaded on first use. */
import { PencilLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteFolder, makeFolder, renameFolder } from '../api/folders.ts'
import type { Folder } from '../api/library.ts'
import { troubleWords } from '../api/trouble.ts'
import { notify } from '../platform/notices.ts'
import type { DocumentList } from './document-list.ts'
import { Entry, LazyMenu, Rule } from './lazy-menu.tsx'
import { NameDialog } from './name-dialog.tsx'
import type { MenuButton } from './on-first-use.tsx'

export interface FolderMenuProps extends MenuButton {
  readonly folder: Folder
  /** In which it stands. */
  readonly list: DocumentList
}

const ofFolder = {
  label: 'Folder name',
  messages: { NAME_TAKEN: 'A folder with this name already exists here.' },
}

export function FolderMenu({ folder, list, ...button }: FolderMenuProps) {
  const [renames, setRenames] = useState(false)
  return (
    <>
      <LazyMenu {...button}>
        <Entry
          icon={<PencilLine aria-hidden />}
          label="Rename…"
          onChoose={() => setRenames(true)}
        />
        <Rule />
        <Entry
          icon={<Trash2 aria-hidden />}
          label="Delete folder"
          more="The folder must be empty."
          onChoose={() => void remove(folder, list)}
        />
      </LazyMenu>
      {renames ? (
        <NameDialog
          {...ofFolder}
          title={`Rename “${folder.name}”`}
          action="Rename"
          name={folder.name}
          onName={async (name) => {
            await renameFolder(folder.id, name)
            await list.refresh()
          }}
          onClose={() => setRenames(false)}
        />
      ) : null}
    </>
  )
}

async function remove({ id, name }: Folder, list: DocumentList): Promise<void> {
  const notEmpty = `“${name}” is not empty. Move or delete its contents first, including archived documents.`
  try {
    await deleteFolder(id)
    await list.refresh()
    notify(`Folder “${name}” deleted.`)
  } catch (error) {
    notify(troubleWords(error, { FOLDER_NOT_EMPTY: notEmpty }), 'problem')
  }
}

export interface NewFolderDialogProps {
  /** Where it is made; `undefined`: in no other. */
  readonly folder: string | undefined
  readonly list: DocumentList
  readonly onClose: () => void
}

export const NewFolderDialog = ({ folder, list, onClose }: NewFolderDialogProps) => (
  <NameDialog
    {...ofFolder}
    title="New folder"
    action="Create folder"
    name=""
    onName={async (name) => {
      await makeFolder(name, folder)
      await list.refresh()
    }}
    onClose={onClose}
  />
)
