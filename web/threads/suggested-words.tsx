/** What a suggestion would change: struck what goes, underlined what comes, beside what stays. */
import { useMemo } from 'react'
import { partsOf } from './changed-words.ts'

interface SuggestedWordsProps {
  readonly old: string
  readonly now: string
}

export function SuggestedWords({ old, now }: SuggestedWordsProps) {
  const parts = useMemo(() => partsOf(old, now), [old, now])
  return parts.map(({ is, words }, at) => {
    const Element = elements[is]
    return <Element key={at}>{words}</Element>
  })
}

const elements = { kept: 'span', gone: 'del', come: 'ins' } as const
