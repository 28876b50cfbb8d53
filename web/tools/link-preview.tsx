/** The card of a link: its address to open and to copy, and what may be done to the link. */
import { Copy, ExternalLink, Pencil, Unlink } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { useMemo } from 'react'
import { isSafeAddress } from '../../schema/markdown/addresses.ts'
import { removeLinkAt } from '../editor/commands/links.ts'
import { copyText } from '../platform/clipboard.ts'
import { notify } from '../platform/notices.ts'
import { Float } from './float.tsx'
import type { LinkCard, LinkTools } from './link-card.ts'
import { perform } from './perform.ts'
import { textAnchor } from './text-anchor.ts'

export interface LinkPopoverProps {
  readonly view: EditorView
  readonly links: LinkTools
}

type PreviewCard = Extract<LinkCard, { kind: 'preview' }>

interface LinkPreviewProps extends LinkPopoverProps {
  readonly card: PreviewCard
}

export function LinkPreview({ view, links, card }: LinkPreviewProps) {
  const { link, isBare } = card
  const anchor = useMemo(() => textAnchor(view, link.from, link.to), [view, link.from, link.to])
  const copy = async () => {
    await copyText(link.href)
    notify('Address copied.')
  }
  return (
    <Float
      anchor={anchor}
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
        aria-label="Copy address"
        title="Copy address"
        onClick={copy}
      >
        <Copy aria-hidden />
      </button>
      {view.editable ? (
        <>
          <button
            type="button"
            className="button button-icon"
            aria-label="Edit link"
            title="Edit link"
            onClick={() => links.edit(view, link)}
          >
            <Pencil aria-hidden />
          </button>
          {isBare ? null : (
            <button
              type="button"
              className="button button-icon"
              aria-label="Remove link"
              title="Remove link"
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
