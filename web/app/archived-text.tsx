/** The text of an archived document, as the page draws it, read-only. Loaded on first use. */
import { useEffect, useRef, useState } from 'react'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { readArchivedText } from '../api/life.ts'
import { troubleWords } from '../api/trouble.ts'
import { showText } from '../history/shown-text.ts'
import { ProblemLine } from '../platform/problem-line.tsx'

export function ArchivedText({ slug }: { readonly slug: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let shown: { destroy(): void } | undefined
    let isOver = false
    readArchivedText(slug).then(
      (markdown) => {
        if (isOver || place.current === null) return
        const doc = parseMarkdown(markdown)
        const signs = () => ({ name: '', hue: 0 })
        shown = showText(place.current, { slug, doc, changes: [], signs })
      },
      (error) => isOver || setProblem(troubleWords(error)),
    )
    return () => {
      isOver = true
      shown?.destroy()
    }
  }, [slug])
  return (
    <section className="archived-text" aria-label="Archived document">
      <ProblemLine text={problem} />
      <div ref={place} />
    </section>
  )
}
