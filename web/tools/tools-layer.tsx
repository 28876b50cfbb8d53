/** What floats over and stands beside the text: one layer, mounted once for an editor. */
import type { EditorView } from 'prosemirror-view'
import { SlashList } from './slash-list.tsx'
import type { Tools } from './tools.ts'

interface ToolsLayerProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function ToolsLayer({ view, tools }: ToolsLayerProps) {
  return (
    <div className="tools">
      <SlashList view={view} menu={tools.slash} />
    </div>
  )
}
