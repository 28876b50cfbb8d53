/**
 * Light, dark, or as the system has it. The choice is a cookie, so that the service writes it into
 * the page and the first paint is right.
 */

import { under } from '../api/base.ts'
import { createStore, type Readable } from '../platform/store.ts'

export type Theme = 'system' | 'light' | 'dark'

const oneYearSeconds = 31_536_000
const chosen = document.documentElement.dataset['theme']
const theme = createStore<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : 'system')

export const currentTheme: Readable<Theme> = theme

export function chooseTheme(next: Theme): void {
  theme.set(next)
  const maxAge = next === 'system' ? 0 : oneYearSeconds
  // biome-ignore lint/suspicious/noDocumentCookie: the service reads it before the first paint
  document.cookie = `theme=${next}; Path=${under('/')}; Max-Age=${maxAge}; SameSite=Lax`
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
}
