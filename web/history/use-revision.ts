/** A revision with its changes, read from the service; the last few are kept while one looks. */

import type { Node } from 'prosemirror-model'
import { useEffect, useState } from 'react'
import { DocumentText } from '../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { type FormerText, formerText, wordChanges } from '../api/history.ts'
import { troubleWords } from '../api/trouble.ts'
import { type ChangePlace, placesOfChanges } from './change-places.ts'

export interface ReadRevision {
  readonly former: FormerText
  readonly doc: Node
  /** Since which revision they are; undefined: none are told. */
  readonly since: number | undefined
  readonly changes: readonly ChangePlace[]
}

export interface RevisionWish {
  readonly slug: string
  readonly revision: number
  /** 0: there is nothing before it. */
  readonly since: number
}

const keptMax = 12
const settleMs = 120

export function useRevision({ slug, revision, since }: RevisionWish) {
  const [read, setRead] = useState<ReadRevision>()
  const [problem, setProblem] = useState<string>()
  const [kept] = useState(() => new Map<string, ReadRevision>())
  useEffect(() => {
    const key = `${revision} ${since}`
    const known = kept.get(key)
    setProblem(undefined)
    if (known !== undefined) {
      setRead(known)
      return undefined
    }
    const leave = new AbortController()
    const load = async () => {
      const { signal } = leave
      try {
        const found = await readRevision({ slug, revision, since }, signal)
        kept.set(key, found)
        for (const old of [...kept.keys()].slice(0, -keptMax)) kept.delete(old)
        if (!signal.aborted) setRead(found)
      } catch (error) {
        if (signal.aborted) return
        setProblem(troubleWords(error))
      }
    }
    // Whoever drags the slider passes many.
    const timer = window.setTimeout(load, read === undefined ? 0 : settleMs)
    return () => {
      window.clearTimeout(timer)
      leave.abort()
    }
  }, [slug, revision, since, kept])
  const isStale = read?.former.revision !== revision || read.since !== (since || undefined)
  return { read, isReading: problem === undefined && isStale, problem }
}

async function readRevision(
  { slug, revision, since }: RevisionWish,
  signal: AbortSignal,
): Promise<ReadRevision> {
  const isTold = since > 0 && since !== revision
  const [former, words] = await Promise.all([
    formerText(slug, revision, signal),
    isTold ? wordChanges(slug, { from: since, to: revision }, signal) : [],
  ])
  const { markdown } = former
  const doc = parseMarkdown(markdown)
  const text = DocumentText.of(doc.children)
  const changes = text.toString() === markdown ? placesOfChanges(doc, text, words) : []
  return { former, doc, since: since || undefined, changes }
}
