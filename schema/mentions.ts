/**
 * The handles that a comment's text calls (interface §4.6): `@handle`, but not in code, not behind
 * a backslash, and not within a word, as in an address of mail. Knows nobody.
 */

/** In their order, each once, in lower case, without the `@`. */
export function handlesIn(text: string): readonly string[] {
  const handles = new Set<string>()
  for (const [, handle = ''] of withoutCode(text).matchAll(mention)) {
    handles.add(handle.replace(/(?<![._-])[._-]+$/, '').toLowerCase())
  }
  handles.delete('')
  return [...handles]
}

const mention = /(?<![\w\\@/.-])@([a-zA-Z0-9][\w.-]{0,99})/g

/** Fenced blocks, and spans between two runs of as many backticks, say nothing. */
function withoutCode(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const run = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && run !== undefined) fence = run
    else if (fence === undefined) lines.push(line)
    else if (run?.startsWith(fence) && line.trim() === run) fence = undefined
  }
  return withoutSpans(lines.join('\n'))
}

/** Looks at each run once: for which of the same length it opens is known from behind. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map((match) => ({
    at: match.index,
    length: match[0].length,
    closedBy: undefined as number | undefined,
  }))
  const next = new Map<number, number>()
  for (const [index, run] of [...runs.entries()].reverse()) {
    run.closedBy = next.get(run.length)
    next.set(run.length, index)
  }
  let said = ''
  let read = 0
  for (let index = 0; index < runs.length; index++) {
    const { at, closedBy } = runs[index] ?? { at: 0, closedBy: undefined }
    if (closedBy === undefined || text[at - 1] === '\\') continue
    said += text.slice(read, at)
    const close = runs[closedBy]
    read = close ? close.at + close.length : read
    index = closedBy
  }
  return said + text.slice(read)
}
