/**
 * What floats over and stands beside the text: one layer, mounted once for an editor. What belongs
 * to tables, code and touch screens comes when there is one.
 */
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { DocumentSession } from '../live/session.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { useSelected, useStore } from '../platform/store.ts'
import { Handle } from './handle.tsx'
import { LinkPopover } from './link-popover.tsx'
import { PageHandlers } from './page-handlers.tsx'
import { PortalContainerProvider } from './portal-container.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { Tools } from './tools.ts'
import { EmojiList, SlashList } from './typed-list.tsx'

const tableMenus = laterPart(async () => (await import('./table-menus.tsx')).TableMenus)
const languagePicker = laterPart(async () => (await import('./language-picker.tsx')).LanguagePicker)
const imageCard = laterPart(async () => (await import('./image-card.tsx')).ImageCard)
const touchKeys = laterPart(async () => (await import('./touch-keys.tsx')).TouchKeys)

interface ToolsLayerProps {
  readonly session: DocumentSession
  readonly view: EditorView
  readonly tools: Tools
}

export function ToolsLayer({ session, view, tools }: ToolsLayerProps) {
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  return (
    <div className="tools" ref={setLayer}>
      <PortalContainerProvider value={layer}>
        <Handle slug={session.slug} view={view} tools={tools} />
        <OnDemand session={session} view={view} tools={tools} />
        <SlashList view={view} menu={tools.slash} />
        <EmojiList view={view} menu={tools.emoji} />
        <LinkPopover view={view} links={tools.links} />
        <SelectionBar view={view} tools={tools} />
        <PageHandlers view={view} tools={tools} />
        <Announced actions={tools.actions} />
      </PortalContainerProvider>
    </div>
  )
}

/** What keys did, for who cannot see it. */
function Announced({ actions }: { readonly actions: PageActions }) {
  const { text } = useStore(actions.announced)
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  )
}

function OnDemand({ session, ...props }: ToolsLayerProps) {
  const { view, tools } = props
  const isInTable = useSelected(tools.active.state, ({ cell }) => cell !== undefined)
  const isInCode = useSelected(tools.active.state, ({ code }) => code !== undefined)
  const isAtImage = useSelected(tools.image.state, (image) => image !== undefined)
  const isByTouch = useSelected(tools.touch.state, (look) => look !== undefined)
  return (
    <>
      {isInTable ? <Later part={tableMenus} props={props} /> : null}
      {isInCode ? <Later part={languagePicker} props={props} /> : null}
      {isAtImage ? <Later part={imageCard} props={{ session, view, tool: tools.image }} /> : null}
      {isByTouch ? <Later part={touchKeys} props={props} /> : null}
    </>
  )
}
