/**
 * Says whose a text is when the pointer rests on it. One listener for the whole text; nothing is
 * attached to any part of it.
 */
import { computePosition, flip, offset, shift } from '@floating-ui/dom'
import type { EditorView } from 'prosemirror-view'
import type { AuthorBook } from './author-book.ts'

export interface AuthorTip {
  enable(isEnabled: boolean): void
  destroy(): void
}

const hoverMs = 250

export function createAuthorTip(view: EditorView, book: AuthorBook): AuthorTip {
  const tip = document.createElement('div')
  tip.className = 'float tip author-tip'
  tip.setAttribute('role', 'tooltip')
  tip.hidden = true
  ;(document.querySelector('main') ?? document.body).append(tip)
  let isEnabled = false
  let timer: number | undefined
  const hide = () => {
    window.clearTimeout(timer)
    tip.hidden = true
  }
  const show = async (element: Element, pointer: { x: number; y: number }) => {
    const author = book.author(element.getAttribute('data-by') ?? '')
    tip.textContent = `${author.name} · ${author.isHuman ? 'person' : 'agent'}`
    tip.style.setProperty('--by', `var(--author-${author.hue})`)
    tip.hidden = false
    const line = lineUnder(element, pointer)
    const anchor = { getBoundingClientRect: () => line, contextElement: element }
    const { x, y } = await computePosition(anchor, tip, {
      placement: 'top',
      strategy: 'fixed',
      middleware: [offset(6), flip({ padding: 56 }), shift({ padding: 8 })],
    })
    tip.style.setProperty('translate', `${x}px ${y}px`)
  }
  const onOver = ({ target, clientX, clientY }: PointerEvent) => {
    hide()
    const element = isEnabled && target instanceof Element ? target.closest('[data-by]') : null
    if (element === null) return
    timer = window.setTimeout(() => void show(element, { x: clientX, y: clientY }), hoverMs)
  }
  view.dom.addEventListener('pointerover', onOver)
  view.dom.addEventListener('pointerleave', hide)
  view.dom.addEventListener('keydown', hide)
  window.addEventListener('scroll', hide, { passive: true })
  return {
    enable(next) {
      isEnabled = next
      if (!next) hide()
    },
    destroy() {
      hide()
      view.dom.removeEventListener('pointerover', onOver)
      view.dom.removeEventListener('pointerleave', hide)
      view.dom.removeEventListener('keydown', hide)
      window.removeEventListener('scroll', hide)
      tip.remove()
    },
  }
}

/** The box of the line that the pointer is on, as wide as the pointer. */
function lineUnder(element: Element, { x, y }: { x: number; y: number }): DOMRect {
  const lines = [...element.getClientRects()]
  const line = lines.find(({ top, bottom }) => top <= y && y <= bottom) ?? lines[0]
  const { top, height } = line ?? { top: y, height: 0 }
  return new DOMRect(x, top, 0, height)
}
