/** The front matter of views, each read once: parsing YAML may take tens of milliseconds. */
import type { DocumentView } from '../core/documents/contract.ts'
import { type FrontMatter, readFrontMatter } from '../schema/okf.ts'

const known = new WeakMap<DocumentView, FrontMatter>()

export function frontMatterOf(view: DocumentView): FrontMatter {
  const front = known.get(view) ?? readFrontMatter(view.markdown)
  known.set(view, front)
  return front
}
