/** The source of an artifact, as text, in a dialog of the browser's own. */
import { readSource } from '../api/artifacts.ts'
import { ApiError } from '../api/http.ts'
import { copyText } from '../platform/clipboard.ts'
import { element } from '../platform/element.ts'
import { notify } from '../platform/notices.ts'

export async function showSource(address: string, name: string): Promise<void> {
  const dialog = element('dialog', 'dialog source-dialog')
  const code = element('pre', 'source-text', 'Loading…')
  code.tabIndex = 0
  const copy = element('button', 'button', 'Copy')
  const close = element('button', 'button button-primary', 'Close')
  for (const one of [copy, close]) one.type = 'button'
  const actions = element('div', 'dialog-actions', copy, close)
  dialog.append(element('h2', '', `Source of “${name}”`), code, actions)
  dialog.setAttribute('aria-label', `Source of ${name}`)
  close.addEventListener('click', () => dialog.close())
  copy.addEventListener('click', async () => {
    await copyText(code.textContent)
    notify('Source copied.')
  })
  dialog.addEventListener('keydown', (event) => event.stopPropagation())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  try {
    code.textContent = await readSource(address)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    code.textContent = 'The source could not be loaded.'
  }
}
