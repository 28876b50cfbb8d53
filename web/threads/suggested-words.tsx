/** What a suggestion would change: struck what goes, underlined what comes, beside what stays. */
import { Later, laterPart } from '../platform/later.tsx'
import type { SuggestedWordsProps } from './rendered-words.tsx'

/** It reads markdown, which is loaded with the first suggestion. */
const renderedWords = laterPart(async () => (await import('./rendered-words.tsx')).RenderedWords)

export const SuggestedWords = (props: SuggestedWordsProps) => (
  <Later part={renderedWords} props={props} />
)
