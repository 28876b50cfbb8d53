/**
 * Takes secrets out of what people and agents report, before it is stored (interface §4.9): our own
 * by their form, others by the words that stand before them or the forms that are well known. What
 * is left says that something was there. One pass each, over text of bounded length.
 */
const masked = '[masked]'

const forms: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    masked,
  ],
  [/\b(dtk|shr|as|ark|ses|rst|whsec)_[A-Za-z0-9_+/=-]{12,}/g, `$1_${masked}`],
  [/\b(Bearer|Basic)[ \t]+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${masked}`],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|ghu|ghr|glpat|xox[abeprs])[-_][A-Za-z0-9_-]{16,}/g, masked],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, masked],
  [/(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}@/g, `$1${masked}@`],
  [
    /\b((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|session|cookie|authorization)["']?[ \t]*[:=][ \t]*["']?)(?!\[masked\]|Bearer\b|Basic\b)[^\s"'&;,<>]{4,}/gi,
    `$1${masked}`,
  ],
]

export const withoutSecrets = (text: string): string =>
  forms.reduce((left, [form, instead]) => left.replace(form, instead), withoutJwts(text))

/**
 * JSON web tokens. Each run of letters is looked at once: a search for a whole token would look
 * from each beginning to the end of a run.
 */
const withoutJwts = (text: string): string =>
  text
    .replace(/(?<![\w-])[\w-]{11,}(?=\.[\w-])/g, (run) => run.replace(/\beyJ[\w-]{8,}/, masked))
    .replace(/\[masked\]\.(?:\[masked\]|[\w-]+)(?:\.[\w-]*)?/g, masked)
