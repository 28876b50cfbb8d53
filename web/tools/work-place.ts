/**
 * Which table cell and which code block a person is at: those under the mouse, else those of the
 * caret. What stands beside them is drawn from this.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { depthOf, nodes } from '../editor/commands/nodes.ts'
import { createStore, type Readable } from '../store.ts'

export interface WorkPlace {
  /** Where the cell begins. */
  readonly cell: number | undefined
  /** Where the code block begins. */
  readonly code: number | undefined
  /** Grows with each change of the text. */
  readonly version: number
}

export interface WorkPlaces {
  readonly plugin: Plugin
  readonly state: Readable<WorkPlace>
}

type Found = Pick<WorkPlace, 'cell' | 'code'>
const nowhere: Found = { cell: undefined, code: undefined }

function around(view: EditorView, pos: number): Found {
  const $pos = view.state.doc.resolve(Math.min(pos, view.state.doc.content.size))
  const start = (depth: number | undefined) =>
    depth === undefined ? undefined : $pos.before(depth)
  return {
    cell: start(
      depthOf($pos, ({ type }) => type.spec['tableRole'] === 'cell' || type === nodes.table_header),
    ),
    code: start(depthOf($pos, ({ type }) => type === nodes.code_block)),
  }
}

export function createWorkPlaces(): WorkPlaces {
  const shown = createStore<WorkPlace>({ ...nowhere, version: 0 })
  let hovered: Element | undefined
  let version = 0
  const find = (view: EditorView): Found => {
    if (!view.editable) return nowhere
    const under = hovered?.isConnected ? around(view, view.posAtDOM(hovered, 0)) : nowhere
    const at = view.hasFocus() ? around(view, view.state.selection.from) : nowhere
    return { cell: under.cell ?? at.cell, code: under.code ?? at.code }
  }
  const consider = (view: EditorView) => {
    const { cell, code } = find(view)
    const old = shown.get()
    const isSame = old.cell === cell && old.code === code
    const isAnywhere = cell !== undefined || code !== undefined
    if (!isSame || (isAnywhere && old.version !== version)) shown.set({ cell, code, version })
  }
  const later = (view: EditorView) => {
    setTimeout(() => !view.isDestroyed && !isInTools() && consider(view))
    return false
  }
  const plugin = new Plugin({
    props: {
      handleDOMEvents: {
        mouseover(view, event) {
          const { target } = event
          if (!(target instanceof Element) || event.buttons > 0) return false
          const next = target.closest('td, th') ?? target.closest('pre > code') ?? undefined
          if (next === hovered) return false
          hovered = next
          consider(view)
          return false
        },
        mouseleave(view, event) {
          const to = event.relatedTarget
          if (to instanceof Element && to.closest('.tools')) return false
          hovered = undefined
          return later(view)
        },
        focus: later,
        blur: later,
      },
    },
    view: () => ({
      update(view, before) {
        if (before.doc !== view.state.doc) version++
        if (!isInTools()) consider(view)
      },
      destroy: () => shown.set({ ...nowhere, version: 0 }),
    }),
  })
  return { plugin, state: shown }
}

/** While a menu of the tools has the focus, what it belongs to stays. */
const isInTools = () => document.activeElement?.closest('.tools') != null
