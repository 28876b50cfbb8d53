/** Choosing images of this device, in the form that also takes an address; or why one cannot. */
import { ImagePlus } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { useRef } from 'react'
import { limits } from '../../schema/limits.ts'
import { imageFiles, megabytes } from './file-rules.ts'
import { bringFiles, whyNoImages } from './uploads.ts'

interface ChooseImagesProps {
  readonly view: EditorView
  readonly onChosen: () => void
}

export function ChooseImages({ view, onChosen }: ChooseImagesProps) {
  const input = useRef<HTMLInputElement>(null)
  const refusal = whyNoImages(view)
  if (refusal !== undefined) return <p className="form-words">{refusal}</p>
  const take = () => {
    const files = [...(input.current?.files ?? [])]
    onChosen()
    bringFiles(view, files)
  }
  return (
    <div className="choose-images">
      <button type="button" className="button button-line" onClick={() => input.current?.click()}>
        <ImagePlus aria-hidden />
        Upload from this device
      </button>
      <p className="form-words">
        PNG, JPEG, WebP or GIF, at most {megabytes(limits.imageMaxBytes)} each. Or enter an image
        address:
      </p>
      <input ref={input} type="file" accept={imageFiles} multiple hidden onChange={take} />
    </div>
  )
}
