/** The words on a clipboard: its data are gone once the event of the paste is over. */

export interface Clip {
  readonly html: string
  readonly text: string
  /** What VS Code says of a text that it copied, as JSON. */
  readonly editor: string
}

export function clipOf(data: DataTransfer): Clip {
  return {
    html: data.getData('text/html'),
    text: data.getData('text/plain').replace(/\r\n?/g, '\n'),
    editor: data.getData('vscode-editor-data'),
  }
}
