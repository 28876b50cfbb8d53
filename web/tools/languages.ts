/** The languages that the picker of a code block offers; any other can be typed. */

export interface Language {
  /** What stands in the fence. */
  readonly name: string
  readonly label: string
}

const rows = `
bash Shell
c C
cpp C++
csharp C#
css CSS
diff Diff
go Go
graphql GraphQL
html HTML
ini INI
java Java
javascript JavaScript
json JSON
kotlin Kotlin
latex LaTeX
lua Lua
markdown Markdown
mermaid Mermaid
perl Perl
php PHP
python Python
r R
ruby Ruby
rust Rust
scss SCSS
sql SQL
swift Swift
toml TOML
typescript TypeScript
xml XML
yaml YAML
`

const languages: readonly Language[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [name = '', ...label] = row.split(' ')
    return { name, label: label.join(' ') }
  })

/** Short names that people write in fences. */
const short: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  md: 'markdown',
  yml: 'yaml',
  'c++': 'cpp',
  cs: 'csharp',
  tex: 'latex',
  kt: 'kotlin',
}

/** How a language that stands in a fence is called; itself where we do not know it. */
export function languageLabel(name: string): string {
  if (name === '') return 'Plain text'
  const known = short[name.toLowerCase()] ?? name.toLowerCase()
  return languages.find((language) => language.name === known)?.label ?? name
}

/**
 * What fits the typed words, and last the words themselves where they name no language of ours;
 * without words all languages, `recent` ones first.
 */
export function languagesFor(typed: string, recent: readonly string[]): readonly Language[] {
  const word = typed.trim().toLowerCase()
  const plain: Language = { name: '', label: 'Plain text' }
  if (word === '') {
    const first = recent.map((name) => ({ name, label: languageLabel(name) }))
    return [...first, plain, ...languages.filter(({ name }) => !recent.includes(name))]
  }
  const meant = short[word]
  const found = [plain, ...languages].filter(
    ({ name, label }) =>
      name === meant || name.startsWith(word) || label.toLowerCase().includes(word),
  )
  const isKnown = found.some(({ name, label }) => name === word || label.toLowerCase() === word)
  const free = word.replace(/[\s`]/g, '')
  return isKnown || free === '' ? found : [...found, { name: free, label: `Use “${free}”` }]
}
