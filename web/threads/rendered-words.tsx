/** The words of a suggestion as they would be read, not as markdown has them. */
import { type ReactNode, useMemo } from 'react'
import { type Run, renderedChanges } from './rendered-changes.ts'

export interface SuggestedWordsProps {
  /** Markdown, as what would come. */
  readonly old: string
  readonly now: string
}

export function RenderedWords({ old, now }: SuggestedWordsProps) {
  const parts = useMemo(() => renderedChanges(old, now), [old, now])
  return parts.map(({ is, runs }, at) => {
    const Element = elements[is]
    return (
      <Element key={at}>
        {runs.map((run, index) => (
          <Words key={index} run={run} hasAddress={is !== 'kept'} />
        ))}
      </Element>
    )
  })
}

const elements = { kept: 'span', gone: 'del', come: 'ins' } as const

const tags = { strong: 'strong', heading: 'strong', em: 'em', code: 'code', strike: 's' } as const

function Words({ run, hasAddress }: { readonly run: Run; readonly hasAddress: boolean }) {
  const { text, looks, href } = run
  const words = href !== undefined && hasAddress && text !== href ? `${text} (${href})` : text
  return looks.reduce<ReactNode>((inner, look) => {
    const Tag = tags[look as keyof typeof tags]
    return Tag === undefined ? inner : <Tag>{inner}</Tag>
  }, words)
}
