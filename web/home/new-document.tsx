/** A new document in one click. */

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { inFolder } from '../api/library.ts'
import { troubleWords } from '../api/trouble.ts'
import { openNewDocument } from '../app/new-document.ts'
import { notify } from '../platform/notices.ts'
import { currentFolder } from './home-lists.ts'

export function NewDocument({ isLarge = false }: { readonly isLarge?: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    try {
      // In the folder that is looked at.
      const folder = currentFolder.get()
      await openNewDocument(folder === undefined ? folder : inFolder(folder))
    } catch (error) {
      setBusy(false)
      notify(troubleWords(error), 'problem')
    }
  }
  return (
    <button
      type="button"
      className={`button button-primary ${isLarge ? 'button-large' : 'new-document'}`}
      disabled={isBusy}
      onClick={create}
    >
      <Plus aria-hidden />
      New document
    </button>
  )
}
