/** What floats over and stands beside the text: one layer, mounted once for an editor. */
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { Handle } from './handle.tsx'
import { LanguagePicker } from './language-picker.tsx'
import { LayerProvider } from './layer.ts'
import { LinkPopover } from './link-popover.tsx'
import { PageDoors } from './page-doors.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SlashList } from './slash-list.tsx'
import { TableMenus } from './table-menus.tsx'
import type { Tools } from './tools.ts'
import { TouchKeys } from './touch-keys.tsx'

interface ToolsLayerProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function ToolsLayer({ view, tools }: ToolsLayerProps) {
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  return (
    <div className="tools" ref={setLayer}>
      <LayerProvider value={layer}>
        <Handle view={view} tools={tools} />
        <TableMenus view={view} tools={tools} />
        <LanguagePicker view={view} tools={tools} />
        <SlashList view={view} menu={tools.slash} />
        <LinkPopover view={view} links={tools.links} />
        <SelectionBar view={view} tools={tools} />
        <TouchKeys view={view} tools={tools} />
        <PageDoors view={view} tools={tools} />
      </LayerProvider>
    </div>
  )
}
