/**
 * What is shown now and then and whose code comes with its first use, such as a dialog. Where it
 * cannot be loaded, as without the service, that is said and the page goes on.
 */
import { type ComponentType, useEffect, useReducer } from 'react'
import { notify } from './notices.ts'

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
  let Loaded: ComponentType<P> | undefined
  const loading = async () => {
    Loaded ??= await load()
  }
  const Dialog = (props: P) => {
    const [, drawAgain] = useReducer((turn: number) => turn + 1, 0)
    const { onClose } = props
    useEffect(() => {
      if (Loaded !== undefined) return
      loading().then(drawAgain, () => {
        notify('The service cannot be reached. Try again when you are connected.', 'problem')
        onClose()
      })
    }, [onClose])
    return Loaded === undefined ? null : <Loaded {...props} />
  }
  return { Dialog, preload: () => void loading().catch(() => undefined) }
}
