/** What is shown now and then, such as a dialog, as a part that is loaded with its first use. */
import type { ComponentType } from 'react'
import { Later, laterPart } from './later.tsx'

interface Closing {
  readonly onClose: () => void
}

export interface LazyDialog<P> {
  readonly Dialog: ComponentType<P>
  /** For who is about to open it. */
  preload(): void
}

export function lazyDialog<P extends Closing>(
  load: () => Promise<ComponentType<P>>,
): LazyDialog<P> {
  const part = laterPart(load)
  const Dialog = (props: P) => <Later part={part} props={props} onMissing={props.onClose} />
  return { Dialog, preload: () => void part.load().catch(() => undefined) }
}
