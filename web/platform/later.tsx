/**
 * Parts of the page that are loaded with their first use. One that cannot be had, away from the
 * service or after another was built, leaves the page as it is. Most browsers remember that, so it
 * takes another load of the page to get it.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { notify } from './notices.ts'

export interface LaterPart<P> {
  /** Undefined until it was loaded once. */
  readonly loaded: () => ComponentType<P> | undefined
  readonly load: () => Promise<ComponentType<P>>
}

export function laterPart<P>(load: () => Promise<ComponentType<P>>): LaterPart<P> {
  let part: ComponentType<P> | undefined
  return {
    loaded: () => part,
    load: async () => {
      part ??= await load()
      return part
    },
  }
}

interface LaterProps<P extends object> {
  readonly part: LaterPart<P>
  readonly props: P
  /** Until it is there. */
  readonly meanwhile?: ReactNode
  /** Somebody asked for it and is told that it cannot be had; not given: nobody asked. */
  readonly onMissing?: () => void
}

export function Later<P extends object>({ part, props, meanwhile, onMissing }: LaterProps<P>) {
  const [Part, setPart] = useState(part.loaded)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    let isGone = false
    part.load().then(
      (loaded) => isGone || setPart(() => loaded),
      () => isGone || setMissing(true),
    )
    return () => {
      isGone = true
    }
  }, [part])
  useEffect(() => {
    if (!isMissing || onMissing === undefined) return
    notify('This could not be loaded. Reload the page when you are online.', 'problem')
    onMissing()
  }, [isMissing, onMissing])
  return Part === undefined ? meanwhile : <Part {...props} />
}
