/**
 * Which characters of plain text need a backslash so as not to be read as markup. An escape is only
 * added where the character could mean something in its place, so that ordinary text stays as
 * typed.
 */
/** Not `\\s`: a line separator is no blank to markdown. */
const blank = /[\t-\r\p{Zs}]/u
const punctuation = /[\p{P}\p{S}]/u
const asciiPunctuation = /[!-/:-@[-`{-~]/
const reference = /^&(?:#x[a-f0-9]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,31});/i

/** How a character counts when emphasis is read. */
export function flankOf(char: string): 'blank' | 'punctuation' | 'word' {
  if (char === '' || blank.test(char)) return 'blank'
  return punctuation.test(char) ? 'punctuation' : 'word'
}

/** The whole character that ends at `at`, '' at the start. */
export function characterBefore(text: string, at: number): string {
  if (at <= 0) return ''
  const low = text.charCodeAt(at - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && at > 1
  return text.slice(pair ? at - 2 : at - 1, at)
}

/** The whole character that begins at `at`, '' at the end. */
export function characterAfter(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

export interface Surroundings {
  /** The characters around the text, '' where the block begins or ends. */
  readonly before: string
  readonly after: string
  readonly inLink: boolean
  readonly inCell: boolean
}

/**
 * Characters that `needsEscape` is ever true for, besides line ends, which callers look out for.
 */
export const specialCharacters = /[\\`*_~[\]<>&|!\n]/g
export const everySpecialCharacter = /[\\`*_~[\]<>&|!:#\n]/g

/** Whether the character at `at` needs a backslash; `angle`: an escaped `<` stands before it. */
export function needsEscape(text: string, at: number, around: Surroundings, angle: boolean) {
  const before = characterBefore(text, at) || around.before
  const after = characterAfter(text, at + 1) || around.after
  switch (text[at]) {
    case '\\':
      return after === '' || after === '\n' || asciiPunctuation.test(after)
    case '`':
      return true
    case '*':
      return !(flankOf(before) === 'blank' && flankOf(after) === 'blank')
    case '_':
      return flankOf(before) !== flankOf(after) || flankOf(before) === 'punctuation'
    case '~':
      return before === '~' || after === '~'
    case '[':
      return around.inLink
    case ']':
      return around.inLink || after === '('
    case '<':
      return /[A-Za-z/!?]/.test(after)
    case '>':
      return angle
    case '&':
      return reference.test(text.slice(at, at + 40))
    case '|':
      return around.inCell
    case '!':
      return at === text.length - 1 && after === '['
    default:
      return false
  }
}

export interface LineContext {
  /** The first line of its block. */
  readonly first: boolean
  /** The first line of a list item that has no task box. */
  readonly item: boolean
}

const markers: readonly RegExp[] = [
  /^#{1,6}(?=[ \t]|$)/,
  /^>/,
  /^[-+*](?=[ \t]|$)/,
  /^(?:=+|-+)[ \t]*$/,
  /^(?:[-_*][ \t]*){3,}$/,
  /^[-:|][-:|\s]*$/,
]

/** Index in the line of the character that must be escaped lest the line open a block, or -1. */
export function lineStartEscape(line: string, place: LineContext): number {
  const number = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line)
  if (number !== null) return number[0].length
  if (!/^[#>\-+*=_:|[]/.test(line)) return -1
  if (markers.some((marker) => marker.test(line))) return 0
  if (!place.first || !line.startsWith('[')) return -1
  if (isLikeDefinition(line)) return 0
  return place.item && /^\[[ xX]\](?=[ \t]|$)/.test(line) ? 0 : -1
}

/** A label, or the beginning of one that goes on in the next line. */
function isLikeDefinition(line: string): boolean {
  if (line.startsWith('[^')) return false
  const inner = line.indexOf('[', 1)
  const label = inner === -1 ? line : line.slice(0, inner)
  return /^\[\s*[^\]\s].*\]:/.test(label) || !line.includes(']')
}
