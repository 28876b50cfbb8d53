/**
 * How wide and how large the text is shown, remembered on this device. The style sheets read it
 * from the root, where it stands before anything is drawn.
 */
import { readItem, writeItem } from './device-storage.ts'
import { createStore, type Store } from './store.ts'

export type Width = 'normal' | 'wide'
export type Size = 'small' | 'normal' | 'large'

export const textWidth: Store<Width> = aspect('textWidth', ['normal', 'wide'])
export const textSize: Store<Size> = aspect('textSize', ['small', 'normal', 'large'])

/**
 * Setting it shows it, once all who listen have heard of it, and remembers it. Any other value on
 * the device is as good as none.
 */
function aspect<T extends string>(
  name: 'textWidth' | 'textSize',
  offered: readonly (T | 'normal')[],
): Store<T | 'normal'> {
  const kept = readItem(name)
  const store = createStore(offered.find((value) => value === kept) ?? 'normal')
  const show = (value: string) => {
    if (value === 'normal') delete document.documentElement.dataset[name]
    else document.documentElement.dataset[name] = value
  }
  show(store.get())
  return {
    ...store,
    set(value) {
      store.set(value)
      show(value)
      writeItem(name, value)
    },
  }
}
