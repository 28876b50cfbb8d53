/** The card of a link, and the forms that write a link or an image. */
import { Copy, ExternalLink, Pencil, Unlink } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { isSafeAddress } from '../../schema/markdown/addresses.ts'
import { copyText } from '../app/clipboard.ts'
import { notify } from '../app/notices.ts'
import { insertImage } from '../editor/commands/insert.ts'
import {
  addressFrom,
  isAddress,
  isText,
  removeLinkAt,
  setLinkAt,
} from '../editor/commands/links.ts'
import { useStore } from '../store.ts'
import { Float } from './float.tsx'
import type { LinkCard, LinkTools } from './link-card.ts'
import { perform } from './perform.ts'
import { placeOfText } from './place.ts'

interface LinkPopoverProps {
  readonly view: EditorView
  readonly links: LinkTools
}

export function LinkPopover({ view, links }: LinkPopoverProps) {
  const card = useStore(links.card)
  if (card === undefined) return null
  if (card.kind === 'preview') return <Preview view={view} links={links} card={card} />
  const key = `${card.kind} ${card.kind === 'form' ? card.href : ''}`
  return <Form key={key} view={view} links={links} card={card} />
}

type PreviewCard = Extract<LinkCard, { kind: 'preview' }>

function Preview({ view, links, card }: LinkPopoverProps & { readonly card: PreviewCard }) {
  const { link, isBare } = card
  const place = useMemo(() => placeOfText(view, link.from, link.to), [view, link.from, link.to])
  const copy = async () => {
    await copyText(link.href)
    notify('Address copied.')
  }
  return (
    <Float
      place={place}
      className="link-card"
      role="group"
      aria-label="Link"
      onMouseEnter={() => links.hover(view, true)}
      onMouseLeave={() => links.hover(view, false)}
      onMouseDown={(event) => event.preventDefault()}
    >
      <Address href={link.href} />
      <button
        type="button"
        className="button button-icon"
        aria-label="Copy the address"
        title="Copy the address"
        onClick={copy}
      >
        <Copy aria-hidden />
      </button>
      {view.editable ? (
        <>
          <button
            type="button"
            className="button button-icon"
            aria-label="Edit the link"
            title="Edit the link"
            onClick={() => links.edit(view, link)}
          >
            <Pencil aria-hidden />
          </button>
          {isBare ? null : (
            <button
              type="button"
              className="button button-icon"
              aria-label="Remove the link"
              title="Remove the link"
              onClick={() => {
                links.close(view)
                perform(view, removeLinkAt(link))
              }}
            >
              <Unlink aria-hidden />
            </button>
          )}
        </>
      ) : null}
    </Float>
  )
}

function Address({ href }: { readonly href: string }) {
  if (!isSafeAddress(href)) return <span className="link-address">{href}</span>
  return (
    <a
      className="link-address"
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={href}
    >
      <ExternalLink aria-hidden />
      <span className="visually-hidden">Open </span>
      <span>{href.replace(/^https?:\/\/(?:www\.)?|\/$/g, '')}</span>
    </a>
  )
}

type FormCard = Exclude<LinkCard, PreviewCard>

/** What the form begins with: the address of the link, or one that is selected or was copied. */
function useAddress(card: FormCard, text: string) {
  const [address, setAddress] = useState(() => {
    if (card.kind === 'form' && card.href !== '') return card.href
    return isAddress(text) ? text.trim() : ''
  })
  useEffect(() => {
    if (address !== '') return
    let isLate = false
    void copiedAddress().then((copied) => {
      if (!isLate && copied !== undefined) setAddress((typed) => typed || copied)
    })
    return () => {
      isLate = true
    }
  }, [address])
  return [address, setAddress] as const
}

/** The address on the clipboard, where the browser lets us look without asking. */
async function copiedAddress(): Promise<string | undefined> {
  try {
    const name = 'clipboard-read' as PermissionName
    const { state } = await navigator.permissions.query({ name })
    if (state !== 'granted') return undefined
    const text = await navigator.clipboard.readText()
    return isAddress(text) ? text.trim() : undefined
  } catch {
    return undefined
  }
}

function Form({ view, links, card }: LinkPopoverProps & { readonly card: FormCard }) {
  const { from, to, kind } = card
  const isLink = kind === 'form'
  const place = useMemo(() => placeOfText(view, from, to), [view, from, to])
  const written = useRef(view.state.doc.textBetween(from, to, ' ')).current
  const [address, setAddress] = useAddress(card, written)
  const [text, setText] = useState(written)
  const { doc } = view.state
  const isWordable = !isLink || isText(doc.resolve(from), doc.resolve(to))
  const [isRefused, setRefused] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const problem = useId()
  useEffect(() => field.current?.select(), [])
  const save = (event: FormEvent) => {
    event.preventDefault()
    const href = addressFrom(address)
    setRefused(href === undefined)
    if (href === undefined) return field.current?.focus()
    links.close(view)
    if (!isLink) return perform(view, insertImage({ src: href, alt: text }))
    const changed = isWordable && text !== written ? text : undefined
    perform(view, setLinkAt({ from, to }, { href, text: changed }))
  }
  return (
    <Float place={place} className="link-form">
      <form
        aria-label={isLink ? 'Link' : 'Image'}
        onSubmit={save}
        onKeyDown={(event) => {
          if (event.key === 'Escape') links.close(view)
        }}
      >
        <label>
          <span>Address</span>
          <input
            ref={field}
            className="field"
            // biome-ignore lint/a11y/noAutofocus: a key opened this form to type an address
            autoFocus
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            value={address}
            aria-invalid={isRefused}
            aria-describedby={isRefused ? problem : undefined}
            onChange={(event) => setAddress(event.target.value)}
          />
        </label>
        {isRefused ? (
          <p id={problem} role="alert" className="field-problem">
            {isLink ? 'This cannot be linked to.' : 'An image needs its address.'}
          </p>
        ) : null}
        {isWordable ? (
          <label>
            <span>{isLink ? 'Text' : 'Description'}</span>
            <input
              className="field"
              autoComplete="off"
              value={text}
              placeholder={isLink ? 'The address' : 'For who cannot see it'}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
        ) : null}
        <div className="form-actions">
          {isLink && card.href !== '' ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                links.close(view)
                perform(view, removeLinkAt({ from, to }))
              }}
            >
              Remove
            </button>
          ) : null}
          <span className="bar-space" />
          <button type="button" className="button" onClick={() => links.close(view)}>
            Cancel
          </button>
          <button type="submit" className="button button-primary">
            {isLink ? 'Link' : 'Insert'}
          </button>
        </div>
      </form>
    </Float>
  )
}
