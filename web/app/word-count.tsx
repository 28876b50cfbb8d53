/** Words, characters and the time to read them: of what is selected, and of the document. */
import type { EditorState } from 'prosemirror-state'
import { Dialog } from 'radix-ui'
import { Modal } from '../platform/modal.tsx'
import { type Counted, countIn, minutesToRead } from './counted-words.ts'

export interface WordCountProps {
  readonly state: EditorState
  readonly onClose: () => void
}

export function WordCount({ state: { doc, selection }, onClose }: WordCountProps) {
  const whole = countIn(doc)
  const part = selection.empty ? undefined : countIn(doc, selection.from, selection.to)
  return (
    <Modal title="Word count" className="word-count" onClose={onClose}>
      <table>
        <thead>
          <tr>
            <td />
            {part === undefined ? null : <th scope="col">Selection</th>}
            <th scope="col">Document</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, said]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {part === undefined ? null : <td>{said(part)}</td>}
              <td>{said(whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="dialog-actions">
        <Dialog.Close className="button button-primary">Close</Dialog.Close>
      </div>
    </Modal>
  )
}

const number = new Intl.NumberFormat()

const rows: readonly (readonly [label: string, said: (counted: Counted) => string])[] = [
  ['Words', ({ words }) => number.format(words)],
  ['Characters', ({ characters }) => number.format(characters)],
  ['Reading time', (counted) => timeSaid(minutesToRead(counted))],
]

const timeSaid = (minutes: number): string =>
  minutes === 0 ? 'under a minute' : `${number.format(minutes)} min`
