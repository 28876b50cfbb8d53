/**
 * Files of markdown, chosen or dropped: into an empty document as all of it, into any other where
 * they were dropped. What is in them is one undo step, and its writer is who brought it.
 */
import type { Slice } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { limits } from '../../../schema/limits.ts'
import { notify } from '../../platform/notices.ts'
import { emptyParagraph } from '../model/empty.ts'
import { asNew } from './clipboard.ts'

export const markdownFiles = '.md,.markdown,.mdown,.txt,text/markdown,text/plain'

const isMarkdown = ({ name, type }: File): boolean =>
  /\.(?:md|markdown|mdown|txt)$/i.test(name) || /^text\/(?:markdown|plain)$/.test(type)

/** Takes over the drop of files that are all markdown. */
export function markdownDrop(placeAt: (view: EditorView, y: number) => number | undefined): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        drop(view, event) {
          const files = [...(event.dataTransfer?.files ?? [])]
          if (!view.editable || files.length === 0 || !files.every(isMarkdown)) return false
          event.preventDefault()
          const pos = placeAt(view, event.clientY)
          void bringIn(view, files, pos)
          return true
        },
      },
    },
  })
}

/** `pos`: between two blocks; without it after the last. */
export async function bringIn(
  view: EditorView,
  files: readonly File[],
  pos = view.state.doc.content.size,
): Promise<void> {
  const texts: string[] = []
  for (const file of files) {
    const text = await textOf(file)
    if (text === undefined) return
    texts.push(text)
  }
  const late = await import('./markdown.ts').catch(() => undefined)
  if (late === undefined)
    notify('This could not be read. Reload the page once the service can be reached.', 'problem')
  if (late === undefined || view.isDestroyed || !view.editable) return
  const { tr, doc } = view.state
  const empty = emptyParagraph(view.state)
  const read = readBy(() => late.fileSlice(texts.join('\n\n'), empty === 0))
  if (read === undefined) return
  const slice = asNew(read, { kept: new Set(), view })
  if (empty === undefined) tr.insert(Math.min(pos, doc.content.size), slice.content)
  else tr.replaceWith(empty, doc.content.size, slice.content)
  view.dispatch(tr.setMeta('paste', true).scrollIntoView())
  view.focus()
}

/** Undefined: no document holds what it says, and that has been said. */
function readBy(read: () => Slice): Slice | undefined {
  try {
    return read()
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'problem')
    return undefined
  }
}

/** Undefined: it is too large, or no text; which has been said. */
async function textOf(file: File): Promise<string | undefined> {
  if (file.size > limits.markdownMaxBytes) {
    notify(`“${file.name}” is too large: a document holds at most 4 MB.`, 'problem')
    return undefined
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.replace(/\r\n?/g, '\n')
  } catch {
    notify(`“${file.name}” is no text in UTF-8.`, 'problem')
    return undefined
  }
}
