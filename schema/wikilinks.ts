/**
 * Links between documents as a vault of notes writes them (interface §4.11): `[[Note|text]]`.
 * Reads canonical markdown from the left to the right once, past what is code; what is no inline
 * link with an address that names a note stays as it is. Pure.
 */

import { passages } from './passages.ts'

/** The note that an address leads to, as it is written in a link; `undefined`: to none. */
export type NoteOf = (href: string) => string | undefined

/** Longer ones are left as they are. */
const textMaxChars = 1_000
const link = new RegExp(
  String.raw`\[((?:\\.|[^\[\]\\]){1,${textMaxChars}})\]\((?:<([^<>\n]{1,2048})>|([^\s()<>]{1,2048}))(?: "(?:\\.|[^"\\]){0,${textMaxChars}}")?\)`,
  'suy',
)

export function writeWikilinks(markdown: string, noteOf: NoteOf): string {
  const pieces: string[] = []
  for (const { text, isCode } of passages(markdown)) {
    pieces.push(isCode ? text : linked(text, noteOf))
  }
  return pieces.join('')
}

/** Where each run of backticks of a length stands, to find the end of a code span. */
function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const known = runs.get(run.length)
    if (known === undefined) runs.set(run.length, [index])
    else known.push(index)
  }
  for (const places of runs.values()) places.reverse()
  return runs
}

function linked(text: string, noteOf: NoteOf): string {
  if (!text.includes('](')) return text
  const runs = runsOf(text)
  const isInTable = tableRows(text)
  const pieces: string[] = []
  let kept = 0
  for (let at = 0; at < text.length; ) {
    const char = text[at]
    if (char === '\\') at += 2
    else if (char === '`') at = behindCode(text, at, runs)
    else if (char === '!' && text[at + 1] === '[') at += 2
    else if (text.startsWith('<!--', at)) at = behindComment(text, at)
    else if (char === '[') {
      link.lastIndex = at
      const found = link.exec(text)
      const note = found === null ? undefined : noteOf(found[2] ?? found[3] ?? '')
      if (found !== null && note !== undefined) {
        const written = wikilink(note, found[1] ?? '')
        pieces.push(text.slice(kept, at), isInTable(at) ? written.replace('|', '\\|') : written)
        kept = link.lastIndex
      }
      at = found !== null && note !== undefined ? link.lastIndex : at + 1
    } else at += 1
  }
  pieces.push(text.slice(kept))
  return pieces.join('')
}

/** Behind a code span that begins at `at`, or behind its backticks where it does not end. */
function behindCode(text: string, at: number, runs: Map<number, number[]>): number {
  let length = 1
  while (text[at + length] === '`') length += 1
  const places = runs.get(length) ?? []
  while (places.length > 0 && (places.at(-1) ?? 0) <= at) places.pop()
  const end = places.at(-1)
  return (end ?? at) + length
}

function behindComment(text: string, at: number): number {
  const end = text.indexOf('-->', at)
  return end === -1 ? text.length : end + '-->'.length
}

/** Whether a bar would end a cell at a place; asked from the left to the right. */
function tableRows(text: string): (at: number) => boolean {
  let from = 0
  let end = text.indexOf('\n')
  return (at) => {
    while (end !== -1 && end < at) {
      from = end + 1
      end = text.indexOf('\n', from)
    }
    return /^[ >]*\|/.test(text.slice(from, at))
  }
}

/** Its text is one line, which bars and brackets would end. */
function wikilink(note: string, text: string): string {
  const shown = text
    .replace(/\\?\n[ >]*/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replaceAll('|', '/')
  return shown === note ? `[[${note}]]` : `[[${note}|${shown}]]`
}
