/** A table's row is dragged by the handle at its edge; a line shows where it would go. */
import type { EditorView } from 'prosemirror-view'
import { type PointerEvent, useRef, useState } from 'react'
import { moveRowsTo } from '../editor/commands/tables.ts'
import { perform } from './perform.ts'

const dragFromPx = 4

interface Target {
  /** Before the row of this index. */
  readonly index: number
  readonly line: { readonly left: number; readonly top: number; readonly width: number }
}

export interface RowDragParts {
  readonly view: EditorView
  readonly cell: HTMLElement
  /** Puts the caret into the row, unless it is selected. */
  readonly take: () => void
  /** The handle was pressed and not dragged. */
  readonly onPress: () => void
}

/** Handlers for the row's handle, and the line while one drags. */
export function useRowDrag({ view, cell, take, onPress }: RowDragParts) {
  const [target, setTarget] = useState<Target>()
  const start = useRef<number>(undefined)
  const isDragging = useRef(false)
  const end = () => {
    start.current = undefined
    isDragging.current = false
    setTarget(undefined)
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      // A menu that opens when it is pressed could not be dragged.
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = event.clientY
    },
    onPointerMove({ clientY }: PointerEvent<HTMLElement>) {
      if (start.current === undefined) return
      if (!isDragging.current && Math.abs(clientY - start.current) < dragFromPx) return
      if (!isDragging.current) take()
      isDragging.current = true
      setTarget(targetAt(cell, clientY))
    },
    onPointerUp() {
      const [wasDragged, place] = [isDragging.current, target]
      const wasPressed = start.current !== undefined
      end()
      if (wasDragged && place !== undefined) perform(view, moveRowsTo(place.index))
      else if (wasPressed && !wasDragged) onPress()
    },
    onPointerCancel: end,
  }
  return { handlers, line: target === undefined ? null : <RowLine {...target.line} /> }
}

/** The header stays the first. */
function targetAt(cell: HTMLElement, y: number): Target | undefined {
  const rows = [...(cell.closest('table')?.rows ?? [])]
  const boxes = rows.map((row) => row.getBoundingClientRect())
  const header = boxes[0]
  if (header === undefined) return undefined
  let index = 1
  while (index < boxes.length && y > middleOf(boxes[index])) index++
  const top = boxes[index - 1]?.bottom ?? header.bottom
  return { index, line: { left: header.left, top, width: header.width } }
}

const middleOf = (box: DOMRect | undefined): number =>
  box === undefined ? 0 : (box.top + box.bottom) / 2

function RowLine({ left, top, width }: Target['line']) {
  return <div className="row-line" style={{ left, top: top - 1, width }} />
}
