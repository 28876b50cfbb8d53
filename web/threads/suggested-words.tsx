/** What a suggestion would change: struck what goes, underlined what comes, beside what stays. */
import { Later, laterPart } from '../platform/later.tsx'

/** It reads markdown, which is loaded with the first suggestion. */
const renderedWords = laterPart(async () => (await import('./rendered-words.tsx')).RenderedWords)

export interface SuggestedWordsProps {
  /** Markdown, as what would come. */
  readonly old: string
  readonly now: string
}

export const SuggestedWords = (props: SuggestedWordsProps) => (
  <Later part={renderedWords} props={props} />
)
