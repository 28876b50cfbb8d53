/**
 * What stands under the image that is selected: its description, for who cannot see it, and a
 * button that shows it large. Nobody has to look at it.
 */
import { Maximize2 } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useMemo, useRef, useState } from 'react'
import { openImage } from '../images/opening.ts'
import { isComposing } from '../platform/composing.ts'
import { useStore } from '../platform/store.ts'
import { Float } from './float.tsx'
import { perform } from './perform.ts'
import type { SelectedImage, SelectedImageTool } from './selected-image.ts'

interface ImageCardProps {
  readonly view: EditorView
  readonly tool: SelectedImageTool
}

export function ImageCard({ view, tool }: ImageCardProps) {
  const image = useStore(tool.state)
  if (image === undefined) return null
  return <Card key={`${image.pos} ${image.alt}`} view={view} tool={tool} image={image} />
}

function Card({ view, tool, image }: ImageCardProps & { readonly image: SelectedImage }) {
  const { picture, pos, alt } = image
  const [words, setWords] = useState(alt)
  const field = useRef<HTMLInputElement>(null)
  const anchor = useMemo(
    () => ({ context: view.dom, rect: () => picture.getBoundingClientRect() }),
    [view, picture],
  )
  // On the picture, where it hides no text, unless that is hardly larger.
  const gap = picture.height > 120 ? -52 : 6
  useEffect(() => {
    tool.onDescribe = () => field.current?.focus()
    return () => {
      tool.onDescribe = undefined
    }
  }, [tool])
  const save = () => {
    if (words === alt || view.isDestroyed) return
    perform(view, ({ doc, tr }, dispatch) => {
      if (doc.nodeAt(pos)?.type.name !== 'image') return false
      dispatch?.(tr.setNodeAttribute(pos, 'alt', words.trim()))
      return true
    })
  }
  return (
    <Float anchor={anchor} gap={gap} className="image-card" role="group" aria-label="Image">
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
          aria-label="Description, for who cannot see it"
          autoComplete="off"
          placeholder="Add a description"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event)) return
            setWords(alt)
            view.focus()
          }}
        />
      </form>
      <button
        type="button"
        className="button button-icon"
        aria-label="Show it large"
        title="Show it large"
        onClick={() => openImage(picture)}
      >
        <Maximize2 aria-hidden />
      </button>
    </Float>
  )
}
