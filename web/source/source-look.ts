/** How markdown looks in the source: the page's own tokens, through custom properties. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-code)',
    fontSize: 'var(--size-15)',
    // Markdown is read character by character.
    fontVariantLigatures: 'none',
    lineHeight: '1.65',
    overflow: 'auto',
  },
  '.cm-content': { padding: 'var(--space-32) 0 var(--source-end, 40vh)', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 var(--space-24)' },
  '.cm-line::selection, .cm-line ::selection': { backgroundColor: 'var(--selection)' },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--hairline)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--selection)' },
  '.cm-panel.cm-search': {
    padding: 'var(--space-8) var(--space-24)',
    fontFamily: 'var(--font-text)',
    fontSize: 'var(--size-13)',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    fontSize: 'var(--size-13)',
  },
  '.cm-panel.cm-search .cm-textfield': { minHeight: '28px', padding: '0 8px' },
  '.cm-panel.cm-search .cm-button': {
    minHeight: '28px',
    padding: '0 10px',
    backgroundImage: 'none',
  },
  // Whoever searches means what they type.
  '.cm-panel.cm-search label:has([name=re])': { display: 'none' },
  '.cm-panel input, .cm-panel button': {
    border: '1px solid var(--control-line)',
    borderRadius: '4px',
    background: 'var(--paper)',
    color: 'var(--ink)',
  },
})

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600', color: 'var(--ink)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--accent)' },
  { tag: tags.url, color: 'var(--ink-soft)' },
  { tag: tags.monospace, color: 'var(--good)' },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--ink-faint)' },
  { tag: [tags.labelName, tags.meta, tags.comment], color: 'var(--ink-soft)' },
  { tag: tags.quote, color: 'var(--ink-soft)' },
])

export const sourceLook: Extension = [look, syntaxHighlighting(colours)]
