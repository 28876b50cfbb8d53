/** Reporting a problem: what happened, with pictures; says what is sent before it is. */
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { forgetFailure, lastFailure } from '../api/failures.ts'
import { type ReportKind, sendReport } from '../api/feedback.ts'
import { sendReportImage } from '../api/uploads.ts'
import type { DocumentSession } from '../live/session.ts'
import { Modal } from '../platform/modal.tsx'
import { notify } from '../platform/notices.ts'
import { ProblemLine } from '../platform/problem-line.tsx'
import { useStore } from '../platform/store.ts'
import { focusFirst } from '../platform/writers-place.ts'
import { problemOf } from '../share/words.ts'
import { imageFiles, isPicture, refusalOf } from '../uploads/file-rules.ts'

export interface ReportDialogProps {
  readonly session: DocumentSession
  readonly onClose: () => void
}

const picturesMax = 5
const kinds: readonly (readonly [kind: ReportKind, label: string])[] = [
  ['bug', 'Something does not work'],
  ['friction', 'Something is hard to use'],
  ['wish', 'Something is missing'],
]

interface Draft {
  readonly kind: ReportKind
  readonly message: string
  readonly pictures: readonly File[]
}

export function ReportDialog({ session, onClose }: ReportDialogProps) {
  const [draft, setDraft] = useState<Draft>({ kind: 'bug', message: '', pictures: [] })
  const { problem, isBusy, send, refuse } = useSending({ session, onClose }, draft)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const add = (files: readonly File[]) => {
    const why = files.map(refusalOf).find((one) => one !== undefined)
    const room = picturesMax - draft.pictures.length
    refuse(
      why ?? (files.length > room ? `You can attach up to ${picturesMax} pictures.` : undefined),
    )
    const good = files.filter((file) => refusalOf(file) === undefined)
    set({ pictures: [...draft.pictures, ...good.slice(0, room)] })
  }
  const paste = ({ clipboardData }: ClipboardEvent) =>
    add([...clipboardData.files].filter(isPicture))
  return (
    <Modal title="Report a problem" className="report" onClose={onClose}>
      <form onSubmit={send} onPaste={paste}>
        <select
          className="field"
          aria-label="Type"
          value={draft.kind}
          onChange={({ target }) => set({ kind: target.value as ReportKind })}
        >
          {kinds.map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
        <textarea
          className="field"
          aria-label="What happened"
          placeholder="What did you do, what happened, and what did you expect?"
          maxLength={5_000}
          required
          ref={focusFirst}
          value={draft.message}
          onChange={({ target }) => set({ message: target.value })}
        />
        <Pictures
          pictures={draft.pictures}
          onAdd={add}
          onChange={(pictures) => set({ pictures })}
        />
        <WhatIsSent session={session} />
        <ProblemLine text={problem} />
        <div className="dialog-actions">
          <Dialog.Close className="button">Cancel</Dialog.Close>
          <button type="submit" className="button button-primary" aria-disabled={isBusy}>
            {isBusy ? 'Sending…' : 'Send'}
          </button>
        </div>
      </form>
    </Modal>
  )
}

function useSending({ session, onClose }: ReportDialogProps, { kind, message, pictures }: Draft) {
  const [isBusy, setBusy] = useState(false)
  const [problem, refuse] = useState<string>()
  const left = useRef(new AbortController())
  useEffect(() => {
    const leaving = new AbortController()
    left.current = leaving
    return () => leaving.abort(new DOMException('The dialog was closed.', 'AbortError'))
  }, [])
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || message.trim() === '') return
    setBusy(true)
    refuse(undefined)
    const { signal } = left.current
    try {
      if (session.account.get() === undefined) await session.takeAccount()
      const urls: string[] = []
      for (const picture of pictures) {
        const sending = { signal, onProgress: () => undefined }
        urls.push((await sendReportImage(session.slug, picture, sending)).url)
      }
      const report = { kind, message, image_urls: urls }
      await sendReport(session.slug, report, lastFailure.get()?.ref)
      forgetFailure()
      notify('Report sent. Thank you.')
      onClose()
    } catch (error) {
      if (signal.aborted) return
      refuse(problemOf(error))
      setBusy(false)
    }
  }
  return { isBusy, problem, send, refuse }
}

interface PicturesProps {
  readonly pictures: readonly File[]
  readonly onAdd: (files: readonly File[]) => void
  readonly onChange: (pictures: readonly File[]) => void
}

function Pictures({ pictures, onAdd, onChange }: PicturesProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="report-pictures">
      {pictures.map((picture, at) => (
        <button
          type="button"
          className="button report-taken"
          key={at}
          title="Remove"
          aria-label={`Remove ${picture.name}`}
          onClick={() => onChange(pictures.filter((other) => other !== picture))}
        >
          <Thumbnail picture={picture} />
          <X aria-hidden />
        </button>
      ))}
      <button type="button" className="button button-line" onClick={() => input.current?.click()}>
        Add a picture
      </button>
      <span className="form-words">or paste a screenshot</span>
      <input
        ref={input}
        type="file"
        accept={imageFiles}
        multiple
        hidden
        onChange={({ target }) => onAdd([...(target.files ?? [])])}
      />
    </div>
  )
}

function Thumbnail({ picture }: { readonly picture: File }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(picture)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [picture])
  return <img className="report-picture" src={url} alt="" />
}

function WhatIsSent({ session }: Pick<ReportDialogProps, 'session'>) {
  const failure = useStore(lastFailure)
  const name = useStore(session.account)?.name ?? 'a guest name'
  return (
    <Dialog.Description className="form-words">
      Your administrator receives your text and pictures, the document’s address, and your name (
      {name}). The document’s text is not sent. Keys and passwords in your text are masked.
      {failure === undefined ? null : (
        <>
          {' '}
          The ID of the failed request is included ({failure.ref}: {failure.words}).{' '}
          <button type="button" className="link-button" onClick={forgetFailure}>
            Leave it out
          </button>
        </>
      )}
    </Dialog.Description>
  )
}
