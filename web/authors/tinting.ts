/**
 * The authorship view: texts are tinted by the `data-by` that the document's own marks put on the
 * page, with one rule of CSS for each author. A keystroke costs nothing then; who is in the legend
 * is counted after a pause.
 */
import type { EditorView } from 'prosemirror-view'
import { type AuthorBook, isHuman } from './author-book.ts'
import { createAuthorTip } from './author-tip.ts'
import type { Authorship } from './authorship.ts'
import { sharingHues } from './hues.ts'
import { authorOf, type Share, sharesOf } from './shares.ts'

export interface Tinting {
  /** After any change of the view's state. */
  update(docChanged: boolean): void
  destroy(): void
}

const countAfterMs = 300

export function tintByAuthor(view: EditorView, authorship: Authorship): Tinting {
  const { book, shown, shares, atCaret } = authorship
  const sheet = new CSSStyleSheet()
  const tip = createAuthorTip(view, book)
  let timer: number | undefined
  let rules = ''
  /** What stands already is not put there again: all that is tinted would be styled anew. */
  const rule = (wanted: string) => {
    if (wanted === rules) return
    rules = wanted
    sheet.replaceSync(rules)
  }
  const count = () => {
    timer = undefined
    if (view.isDestroyed || !shown.get()) return
    shares.set(sharesOf(view.state.doc))
    rule(rulesFor(book, shares.get()))
    atCaret.set(authorAtCaret(view))
  }
  const show = () => {
    const isShown = shown.get()
    document.documentElement.toggleAttribute('data-authors', isShown)
    const others = document.adoptedStyleSheets.filter((one) => one !== sheet)
    document.adoptedStyleSheets = isShown ? [...others, sheet] : others
    tip.enable(isShown)
    count()
  }
  const stops = [shown.subscribe(show), book.changes.subscribe(count)]
  show()
  return {
    update(docChanged) {
      if (!shown.get()) return
      if (docChanged) timer ??= window.setTimeout(count, countAfterMs)
      else atCaret.set(authorAtCaret(view))
    },
    destroy() {
      window.clearTimeout(timer)
      for (const stop of stops) stop()
      tip.destroy()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
      document.documentElement.removeAttribute('data-authors')
    },
  }
}

/**
 * One rule an author: their hue; for an agent the dots, since colour is never the only sign; and
 * stripes where another one has the same hue. In an order that is the same whoever wrote more.
 */
function rulesFor(book: AuthorBook, shares: readonly Share[]): string {
  const actors = shares.map(({ actor }) => actor)
  const sharing = sharingHues(actors, book.hueOf)
  return actors
    .map((actor) => {
      const dots = isHuman(actor) ? ' --by-dots: none;' : ' --by-dots: var(--dots);'
      const hue = `--by: var(--author-${book.author(actor).hue});`
      const stripes = ` --by-stripes: ${sharing.has(actor) ? 'var(--stripes)' : 'none'};`
      const own = CSS.escape(actor)
      return `[data-by="${own}"], [data-word-by="${own}"] { ${hue}${dots}${stripes} }`
    })
    .sort()
    .join('\n')
}

function authorAtCaret({ state }: EditorView): string | undefined {
  const { $head } = state.selection
  const node = $head.nodeBefore ?? $head.nodeAfter
  return node === null ? undefined : authorOf(node)
}
