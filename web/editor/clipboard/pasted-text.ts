/**
 * Whether a plain text on the clipboard is markdown. Guesses so only where the text has a structure
 * that no prose has; a wrong guess is one undo away.
 */
import { wordEnd } from '../model/words.ts'

const blockMarks = [
  /^#{1,6} \S/,
  /^\s{0,3}[-*+] \S/,
  /^\s{0,3}\d{1,9}[.)] \S/,
  /^> ?\S/,
  /^(```|~~~)/,
  /^\|.*\|\s*$/,
  /^\s{0,3}([-*_])( ?\1){2,}\s*$/,
]
const inlineMarks = new RegExp(
  [
    `(?<!${wordEnd})(?:\\*\\*\\S[^*\\n]*\\*\\*|__\\S[^_\\n]*__|\`[^\`\\n]+\`|~~\\S[^~\\n]*~~)`,
    '\\[[^\\]\\n]+\\]\\([^)\\s]+\\)',
    '!\\[[^\\]\\n]*\\]\\(',
  ].join('|'),
  'u',
)
/** Whether a text holds markdown's structure. */
export function looksLikeMarkdown(text: string): boolean {
  if (inlineMarks.test(text)) return true
  const lines = text.split('\n')
  const marked = lines.filter((line) => blockMarks.some((mark) => mark.test(line))).length
  // A single line that begins with a dash may be prose; a heading or fence is none.
  return marked > 1 || (marked === 1 && (/^(#{1,6} |```|~~~|> )/m.test(text) || lines.length === 1))
}
