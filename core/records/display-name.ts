/**
 * Display names (interface §4.7): what people and agents call themselves. Untrusted text that is
 * shown next to other people's words, so it is one line that can be seen, that turns no direction,
 * covers nothing around it, and holds nothing invisible but what a script or an emoji needs there.
 */
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'

/** Combining marks in a row. */
const displayNameMarksMax = 4

/** Scripts whose letters join, or part, by an invisible character between them. */
const joining = [
  ...['Arabic', 'Syriac', 'Nko', 'Mandaic', 'Mongolian', 'Phags_Pa', 'Devanagari', 'Bengali'],
  ...['Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Myanmar', 'Khmer', 'Tibetan', 'Javanese', 'Balinese', 'Hanifi_Rohingya', 'Adlam'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('')
const joinable = String.raw`(?=[${joining}])[\p{L}\p{M}]`
const picture = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\uFE0F]`

/** What needs an invisible character to be written at all; each is shown as one sign. */
const needed = [
  // The flags of England, Scotland and Wales: no other is spelt in tags.
  String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
  // Keycaps; how a picture is shown; pictures joined to one.
  String.raw`[0-9#*]\uFE0F?\u20E3`,
  String.raw`(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]`,
  String.raw`(?<=${picture})\u200D(?=\p{Extended_Pictographic})`,
  // A letter of those scripts joined or parted, a virama that is shown for itself.
  String.raw`(?<=${joinable})[\u200C\u200D](?=${joinable})`,
  String.raw`(?<=(?=[${joining}])\p{M})\u200D`,
  // Forms of ideographs and of Mongolian letters.
  String.raw`(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]`,
].join('|')
const withNeeded = new RegExp(needed, 'gu')

const control = /[\p{Cc}\p{Cs}\u2028\u2029]/u
/** Nothing is drawn for these; among them all that turns directions, and the tags. */
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\p{Noncharacter_Code_Point}]/u
/** Letters and signs, but those that stand for an empty place. */
const visible = /(?![\u2800\u{1D159}\uFFFC])[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u
/** A pile covers the lines around it. Marks that take room of their own (as in Burmese) do not. */
const pile = new RegExp(String.raw`[\p{Mn}\p{Me}]{${displayNameMarksMax + 1}}`, 'u')

/**
 * The name as it is kept: trimmed. Refuses INVALID_REQUEST when it is empty, too long, not one
 * line, not to be seen, or hides something.
 */
export function displayNameFrom(
  text: string,
  path = '/display_name',
  maxChars = limits.displayNameMaxChars,
): string {
  const name = text.trim()
  const problem = problemOf(name, maxChars)
  if (problem === undefined) return name
  const issues = [{ path, message: problem }]
  throw new Refusal('INVALID_REQUEST', { issues }, `The name ${problem}.`)
}

function problemOf(name: string, most: number): string | undefined {
  if (name === '') return 'must not be empty'
  if (name.length > 2 * most || [...name].length > most) {
    return `must have at most ${most} characters`
  }
  if (control.test(name)) return 'must be one line without control characters'
  const shown = name.replace(withNeeded, (sign) => ([...sign].length > 1 ? '*' : ''))
  if (invisible.test(shown)) return 'must not contain invisible characters'
  if (!visible.test(shown)) return 'must contain at least one visible character'
  if (pile.test(shown)) return `must not stack more than ${displayNameMarksMax} combining marks`
  return /^\p{M}/u.test(shown) ? 'must not begin with a combining mark' : undefined
}
