/** What floats over and stands beside the text: one layer, mounted once for an editor. */
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { Handle } from './handle.tsx'
import { LayerProvider } from './layer.ts'
import { LinkPopover } from './link-popover.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SlashList } from './slash-list.tsx'
import type { Tools } from './tools.ts'

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
        <SlashList view={view} menu={tools.slash} />
        <LinkPopover view={view} links={tools.links} />
        <SelectionBar view={view} tools={tools} />
      </LayerProvider>
    </div>
  )
}
