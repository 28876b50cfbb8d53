/**
 * Documents stay true and short: paths that they name exist, links lead somewhere, the functions in
 * the tables of docs/flows/ are in the files beside them, and sizes are bounded.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders whose documents and paths are checked. */
const folders = [
  ...['schema', 'persistence', 'core', 'rest', 'server', 'web'],
  ...['tests', 'bench', 'examples', 'deploy', 'docs'],
]

const architectureMaxBytes = 8_192
const readmeMaxLines = 40
const flowMaxLines = 60

interface Doc {
  readonly path: string
  readonly text: string
}

const namesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  )

const paths = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...folders.flatMap(namesIn).filter((name) => name.endsWith('.md')),
].filter((path) => !/(^|\/)node_modules\//.test(path))

const docs: readonly Doc[] = paths.map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))

const isFlow = ({ path }: Doc): boolean => dirname(path) === 'docs/flows'
const isReadme = ({ path }: Doc): boolean => path.endsWith('/README.md')
const linesOf = ({ text }: Doc): number => text.trimEnd().split('\n').length

function offences(judge: (doc: Doc) => readonly string[]): string[] {
  return docs.flatMap((doc) => judge(doc).map((what) => `${doc.path}: ${what}`))
}

const none = (found: readonly string[]) => assert.equal(found, [])

/** From the root of the repository, or from where the document is. */
const exists = ({ path }: Doc, name: string): boolean =>
  existsSync(join(root, name)) || existsSync(join(root, dirname(path), name))

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

/** Code spans that name a source file, or anything below one of our folders. */
function namedPaths({ text }: Doc): string[] {
  const spans = [...withoutCode(text).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
  return spans.filter((span) => {
    if (!/^[\w@./-]+$/.test(span)) return false
    return /\.(ts|tsx|css)$/.test(span) || folders.some((folder) => span.startsWith(`${folder}/`))
  })
}

const linksIn = ({ text }: Doc): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')

/** Of a flow's tables: the function of a step, and the file that has it. */
const stepsIn = ({ text }: Doc): (readonly [string, string])[] =>
  [...text.matchAll(/^\|[^|]*\| `([^`|]+)` \| `([^`|]+)` \|/gm)].map(
    (match) => [match[1] ?? '', match[2] ?? ''] as const,
  )

test('there are documents to check', () => {
  assert.ok(docs.filter(isFlow).length >= 6, 'flows')
  assert.ok(docs.filter(isReadme).length >= 20, 'READMEs of folders')
  assert.ok(docs.flatMap(namedPaths).length > 200, 'named paths')
})

test('every path that a document names exists', () => {
  none(offences((doc) => namedPaths(doc).filter((name) => !exists(doc, name))))
})

test('every link of a document leads to a file', () => {
  none(
    offences((doc) =>
      linksIn(doc)
        .filter((link) => !/^(https?:|mailto:|#)/.test(link))
        .filter((link) => {
          const target = resolve(root, dirname(doc.path), link.split('#')[0] ?? '')
          return relative(root, target).startsWith('..') || !existsSync(target)
        }),
    ),
  )
})

test('every section of the extensions that a file names exists', () => {
  const text = readFileSync(join(root, 'docs/extensions.md'), 'utf8')
  const sections = new Set([...text.matchAll(/^## §(\d+)/gm)].map((match) => match[1]))
  const files = folders.flatMap(namesIn).filter((name) => /\.tsx?$/.test(name))
  const named = files.flatMap((path) => {
    const source = readFileSync(join(root, path), 'utf8')
    return [...source.matchAll(/\bextensions §(\d+)/g)].map((match) => [path, match[1]] as const)
  })
  assert.ok(named.length > 100, 'files name sections')
  none(named.flatMap(([path, section]) => (sections.has(section) ? [] : [`${path}: §${section}`])))
})

test('every function in the table of a flow is in the file beside it', () => {
  const flows = docs.filter(isFlow)
  none(flows.filter((doc) => stepsIn(doc).length < 3).map(({ path }) => `${path}: no steps`))
  none(
    offences((doc) =>
      !isFlow(doc)
        ? []
        : stepsIn(doc)
            .filter(([name, file]) => {
              const last = /(\w+)(?:\(\))?$/.exec(name)?.[1]
              if (last === undefined || !existsSync(join(root, file))) return true
              return !new RegExp(`\\b${last}\\b`).test(readFileSync(join(root, file), 'utf8'))
            })
            .map(([name, file]) => `${name} is not in ${file}`),
    ),
  )
})

test('every flow has a sequence diagram', () => {
  none(
    offences((doc) =>
      isFlow(doc) && !/^```mermaid\nsequenceDiagram\n/m.test(doc.text) ? ['no diagram'] : [],
    ),
  )
})

test('documents are short', () => {
  none(
    offences((doc) => {
      if (doc.path === 'ARCHITECTURE.md') {
        const bytes = Buffer.byteLength(doc.text)
        return bytes > architectureMaxBytes ? [`${bytes} bytes`] : []
      }
      const max = isReadme(doc) ? readmeMaxLines : isFlow(doc) ? flowMaxLines : Infinity
      return linesOf(doc) > max ? [`${linesOf(doc)} lines`] : []
    }),
  )
})

/** Each has a README of its own. */
const described = folders.filter((name) => name !== 'docs')

test('every top-level folder has a README, and ARCHITECTURE.md links to it', () => {
  const map = docs.find(({ path }) => path === 'ARCHITECTURE.md')
  const links = map === undefined ? [] : linksIn(map)
  none(described.filter((name) => !existsSync(join(root, name, 'README.md'))))
  none(described.filter((name) => !links.includes(`${name}/README.md`)))
})

test('every dependency of the product has its reason in docs/dependencies.md', () => {
  const packages: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const text = docs.find(({ path }) => path === 'docs/dependencies.md')?.text ?? ''
  const said = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
  const isSaid = (name: string) =>
    said.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name))
  none(Object.keys(packages.dependencies).filter((name) => !isSaid(name)))
})

test('no document names a machine or how it is made', () => {
  const forbidden = /\.\.\/shared|\/work\/|open.details|interface\.md|\/(?:home|root|Users)\/\w/
  none(
    offences(({ text }) => {
      const found = forbidden.exec(text)
      return found ? [found[0]] : []
    }),
  )
})

test.run()
