/** What floats at a link: its card, or the form that writes it. */
import { Later, laterPart } from '../platform/later.tsx'
import { useStore } from '../platform/store.ts'
import { LinkForm } from './link-form.tsx'
import type { LinkPopoverProps } from './link-preview.tsx'

const preview = laterPart(async () => (await import('./link-preview.tsx')).LinkPreview)

export function LinkPopover({ view, links }: LinkPopoverProps) {
  const card = useStore(links.card)
  if (card === undefined) return null
  if (card.kind === 'preview') return <Later part={preview} props={{ view, links, card }} />
  const key = `${card.kind} ${card.kind === 'form' ? card.href : ''}`
  return <LinkForm key={key} view={view} links={links} card={card} />
}
