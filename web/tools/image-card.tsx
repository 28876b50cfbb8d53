/**
 * What stands under the image that is selected: its description, for who cannot see it, its width,
 * and buttons that put another in its place, download it and show it large.
 */
import { Download, Maximize2, Replace } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useMemo, useRef, useState } from 'react'
import { altOf, describedBy } from '../editor/model/image-width.ts'
import { openImage } from '../images/opening.ts'
import type { DocumentSession } from '../live/session.ts'
import { isComposing } from '../platform/composing.ts'
import { useStore } from '../platform/store.ts'
import { imageFiles } from '../uploads/file-rules.ts'
import { Float } from './float.tsx'
import { perform } from './perform.ts'
import { replaceImage } from './replace-image.ts'
import type { SelectedImage, SelectedImageTool } from './selected-image.ts'

interface ImageCardProps {
  readonly session: DocumentSession
  readonly view: EditorView
  readonly tool: SelectedImageTool
}

export function ImageCard({ tool, ...props }: ImageCardProps) {
  const image = useStore(tool.state)
  if (image === undefined) return null
  return <Card key={`${image.pos} ${image.alt}`} {...props} tool={tool} image={image} />
}

const widths = [
  { label: 'Small', width: 240 },
  { label: 'Medium', width: 480 },
  { label: 'Full width', width: undefined },
] as const

function Card({ session, view, tool, image }: ImageCardProps & { readonly image: SelectedImage }) {
  const { picture, pos, alt } = image
  const described = describedBy(alt)
  const [words, setWords] = useState(described.words)
  const field = useRef<HTMLInputElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const anchor = useMemo(
    () => ({ context: view.dom, rect: () => picture.getBoundingClientRect() }),
    [view, picture],
  )
  useEffect(() => {
    tool.onDescribe = () => field.current?.focus()
    return () => {
      tool.onDescribe = undefined
    }
  }, [tool])
  const setAlt = (next: string) => {
    if (next === alt || view.isDestroyed) return
    perform(view, ({ doc, tr }, dispatch) => {
      if (doc.nodeAt(pos)?.type.name !== 'image') return false
      dispatch?.(tr.setNodeAttribute(pos, 'alt', next))
      return true
    })
  }
  const save = () => setAlt(altOf({ ...described, words: words.trim() }))
  const isOwn = new URL(picture.src).origin === location.origin
  return (
    <Float anchor={anchor} className="image-card" role="group" aria-label="Image">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
          view.focus()
        }}
      >
        <input
          ref={field}
          className="field"
          aria-label="Description for screen readers"
          autoComplete="off"
          placeholder="Add a description"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event)) return
            setWords(described.words)
            view.focus()
          }}
        />
      </form>
      <select
        className="image-width"
        aria-label="Width"
        value={String(described.width ?? '')}
        onChange={({ target }) => {
          const width = target.value === '' ? undefined : Number(target.value)
          setAlt(altOf({ words: words.trim(), width }))
        }}
      >
        {widths.map(({ label, width }) => (
          <option key={label} value={String(width ?? '')}>
            {label}
          </option>
        ))}
        {widths.some(({ width }) => width === described.width) ? null : (
          <option value={String(described.width)}>{described.width} px</option>
        )}
      </select>
      <button
        type="button"
        className="button button-icon"
        aria-label="Replace image"
        title="Replace image"
        onClick={() => file.current?.click()}
      >
        <Replace aria-hidden />
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept={imageFiles}
        aria-label="Choose an image"
        onChange={({ currentTarget: { files } }) => {
          const [chosen] = files ?? []
          if (chosen !== undefined) void replaceImage({ session, view, pos }, chosen)
        }}
      />
      {isOwn ? (
        <a
          className="button button-icon"
          aria-label="Download image"
          title="Download image"
          href={picture.src}
          download={described.words || true}
        >
          <Download aria-hidden />
        </a>
      ) : null}
      <button
        type="button"
        className="button button-icon"
        aria-label="View full size"
        title="View full size"
        onClick={() => openImage(picture)}
      >
        <Maximize2 aria-hidden />
      </button>
    </Float>
  )
}
