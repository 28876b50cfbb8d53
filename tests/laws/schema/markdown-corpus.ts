/**
 * Real markdown to hold the laws against: the CommonMark examples, the GFM examples, and every
 * README and other `.md` file of the installed packages, once each.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Sample {
  readonly name: string
  readonly markdown: string
}

interface SpecExample {
  readonly number: number
  readonly section: string
  readonly markdown: string
}

const largestFileChars = 200_000

export function commonMarkExamples(): Sample[] {
  const spec = createRequire(import.meta.url)('commonmark-spec') as { tests: SpecExample[] }
  return spec.tests.map(({ number, section, markdown }) => ({
    name: `CommonMark ${number} (${section})`,
    markdown: markdown.replaceAll('→', '\t'),
  }))
}

export function packageDocuments(): Sample[] {
  const root = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  const byContent = new Map<string, Sample>()
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((file) => /\.(?:md|markdown)$/i.test(file)).sort()) {
    const markdown = readFileSync(join(root, name), 'utf8')
    if (markdown.length <= largestFileChars && !byContent.has(markdown)) {
      byContent.set(markdown, { name, markdown })
    }
  }
  return [...byContent.values()]
}
