/** What of canonical markdown is code, told by its lines alone. Pure. */

const fence = /^(?:[ >]|[-+*] |\d{1,9}[.)] )*(`{3,}|~{3,})/

export interface Passage {
  readonly text: string
  /** A fenced block. */
  readonly isCode: boolean
}

/** Fenced blocks, and what stands between blank lines. */
export function* passages(markdown: string): Generator<Passage> {
  let begun = 0
  let closing: string | undefined
  for (let from = 0; from < markdown.length; ) {
    const end = markdown.indexOf('\n', from)
    const next = end === -1 ? markdown.length : end + 1
    const line = markdown.slice(from, next)
    if (closing !== undefined) {
      if (isClosing(line, closing)) {
        yield { text: markdown.slice(begun, next), isCode: true }
        begun = next
        closing = undefined
      }
    } else {
      closing = fence.exec(line)?.[1]
      const ends = closing === undefined ? next : from
      if (closing !== undefined || line.trim() === '') {
        if (ends > begun) yield { text: markdown.slice(begun, ends), isCode: false }
        begun = ends
      }
    }
    from = next
  }
  if (begun < markdown.length) {
    yield { text: markdown.slice(begun), isCode: closing !== undefined }
  }
}

function isClosing(line: string, opened: string): boolean {
  const bare = line.replace(/^[ >]*/, '').trimEnd()
  return bare.length >= opened.length && bare === opened.charAt(0).repeat(bare.length)
}
