/**
 * The rules of the house that a program can check: layers, sizes, homes of libraries, clock and
 * chance.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Which folder may import from which. A file below bench/ has its own package and is not judged.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  persistence: ['schema'],
  core: ['schema', 'persistence'],
  rest: ['core', 'schema'],
  server: ['rest', 'core', 'persistence', 'schema'],
  web: ['schema'],
  examples: [],
  tests: ['schema', 'persistence', 'core', 'rest', 'server', 'web', 'examples', 'bench'],
}

/** What persistence may use of the schema: no document knowledge. */
const persistenceMayUse = ['errors.ts', 'limits.ts', 'ids.ts', 'runtime.ts']

/** The only folders in which a library may be imported (examples and tests apart), at any depth. */
const homes: Readonly<Record<string, readonly string[]>> = {
  koa: ['rest'],
  '@koa/router': ['rest'],
  ws: ['server'],
  'y-protocols': ['server'],
  level: ['persistence'],
  pg: ['persistence/postgres'],
  'classic-level': ['persistence'],
  yjs: ['schema/yjs', 'core', 'web'],
  parse5: ['core'],
  vite: ['server'],
  esbuild: ['server'],
  react: ['web'],
  'react-dom': ['web'],
  cookie: ['rest'],
  isbot: ['rest'],
  'lru-cache': ['persistence', 'core', 'server'],
  idb: ['web'],
  'y-websocket': ['web'],
  'y-prosemirror': ['web'],
  'prosemirror-view': ['web'],
  'markdown-it': ['schema'],
  'prosemirror-markdown': ['schema'],
  pino: ['server'],
  'prom-client': ['server'],
}

/** Of tests. What several tiers share lies in the first that needs it, or beside them. */
const tiers = ['unit', 'laws', 'system', 'browser']
const tierOf = (path: string): number =>
  path.startsWith('tests/') ? tiers.indexOf(path.split('/')[1] ?? '') : -1

/** Files that may be longer than 600 lines. Meant to stay empty. */
const longFiles: readonly string[] = []

interface Source {
  readonly path: string
  readonly folder: string
  readonly text: string
  readonly imports: readonly string[]
}

const sources: Source[] = Object.keys(arrows).flatMap((folder) => {
  const directory = join(root, folder)
  const names = readdirSync(root).includes(folder)
    ? readdirSync(directory, { recursive: true, encoding: 'utf8' })
    : []
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(join(root, path), 'utf8')
      const imports = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
        (m) => m[1] ?? '',
      )
      return { path, folder, text, imports }
    })
})

function offences(judge: (source: Source) => readonly string[]): string[] {
  return sources.flatMap((source) => judge(source).map((what) => `${source.path}: ${what}`))
}

const none = (found: readonly string[]) => assert.equal(found, [])
const targetOf = ({ path }: Source, imported: string) =>
  relative(root, resolve(root, dirname(path), imported))

test('there is something to judge', () => {
  assert.ok(sources.length > 100, `${sources.length} sources`)
})

test('imports follow the arrows', () => {
  none(
    offences((source) =>
      targetsOf(source).filter((target) => {
        const to = target.split('/')[0] ?? ''
        return to !== source.folder && !(arrows[source.folder] ?? []).includes(to)
      }),
    ),
  )
})

test('each tier of tests imports from itself and those before', () => {
  none(
    offences((source) => {
      const own = tierOf(source.path)
      return targetsOf(source).filter((target) => own !== -1 && tierOf(target) > own)
    }),
  )
})

/** Folders within those above, and which others they may not import from. */
const closed: Readonly<Record<string, readonly string[]>> = {
  'schema/diff': ['schema/markdown', 'schema/wire'],
  'core/documents/edits/request': ['core/documents/edits/plan', 'core/documents/edits/write'],
  'core/documents/edits/plan': ['core/documents/edits/write'],
  'core/documents/edits/write': ['core/documents/edits/request', 'core/documents/edits/plan'],
}

test('between folders that divide a room imports go one way', () => {
  none(
    offences((source) => {
      const others = closed[dirname(source.path)] ?? []
      return targetsOf(source).filter((target) => others.includes(dirname(target)))
    }),
  )
})

/** Folders whose own folders, at any depth and with their files, form no circle of imports. */
const layered: readonly string[] = ['core', 'server', 'web']

test('folders of a layered room form no circle', () => {
  for (const room of layered) assert.equal(circles(importsBetweenFolders(room)), [])
})

/** Rooms whose files form no circle of imports; those of types and of lazy parts count too. */
const withoutCircles: readonly string[] = [
  ...['schema', 'persistence', 'core', 'rest', 'server', 'web'],
]

test('files form no circle', () => {
  const within = sources.filter(({ folder }) => withoutCircles.includes(folder))
  const imports = new Map(within.map((source) => [source.path, new Set(targetsOf(source))]))
  assert.equal(circles(imports), [])
})

const targetsOf = (source: Source): string[] =>
  source.imports
    .filter((imported) => imported.startsWith('.'))
    .map((imported) => targetOf(source, imported))

type Imports = ReadonlyMap<string, ReadonlySet<string>>

function importsBetweenFolders(room: string): Imports {
  const found = new Map<string, Set<string>>()
  const within = sources.filter(({ path }) => path.startsWith(`${room}/`))
  for (const source of within) {
    const own = dirname(source.path)
    const targets = found.get(own) ?? new Set()
    found.set(own, targets)
    for (const target of targetsOf(source)) {
      const folder = dirname(target)
      if (folder !== own && `${folder}/`.startsWith(`${room}/`)) targets.add(folder)
    }
  }
  return found
}

/** One circle through each file or folder that is on one, as `a > b > a`. */
function circles(imports: Imports): string[] {
  const wayBack = (from: string, to: string, seen: Set<string>): string[] | undefined => {
    for (const next of imports.get(from) ?? []) {
      if (next === to) return [from, to]
      if (seen.has(next)) continue
      seen.add(next)
      const rest = wayBack(next, to, seen)
      if (rest) return [from, ...rest]
    }
    return undefined
  }
  return [...imports.keys()].flatMap((start) => wayBack(start, start, new Set())?.join(' > ') ?? [])
}

/** Where the service knows what Yjs keeps private, and where what other libraries do. */
const yjsRooms = ['schema/yjs/', 'core/yjs/']
const serviceInternals = [...yjsRooms, 'schema/internals/']
const isYjsRoom = (path: string): boolean => yjsRooms.some((room) => path.startsWith(room))

/** What others than these may use of Yjs: what documents are made of, and updates as bytes. */
const yjsForAll = [
  ...['Doc', 'Transaction', 'XmlElement', 'XmlFragment', 'XmlText', 'transact'],
  ...['applyUpdate', 'applyUpdateV2', 'encodeStateVector', 'mergeUpdates'],
]

/** What the page may use beside that outside web/internals: undo, positions, updates as bytes. */
const yjsForPage = [
  ...yjsForAll,
  ...['UndoManager', 'YEvent', 'RelativePosition', 'createRelativePositionFromTypeIndex'],
  ...['createAbsolutePositionFromRelativePosition'],
  ...['createRelativePositionFromJSON', 'relativePositionToJSON'],
  ...['encodeStateAsUpdate', 'diffUpdate', 'parseUpdateMeta', 'decodeStateVector'],
]

/** Fields of Yjs that are not for those who use it. */
const privateInYjs = [
  String.raw`\._+[a-z]\w*`,
  String.raw`\b_(item|start|map|first|length)\b`,
  String.raw`\b(y?doc\.store|Doc\['store'\]|store\.(clients|pending\w+))`,
  String.raw`\b(beforeState|afterState|deleteSet|parentSub|countable)\b`,
  String.raw`\{[^}]*\} from 'yjs'`,
]

/** The same of any library; and changes to a library's own classes. */
const privateInAny = [...privateInYjs, String.raw`\bas unknown as \{`, String.raw`\.prototype\b`]

/** The same of ProseMirror. */
const privateInPage = [
  ...privateInAny,
  String.raw`\b(docView|pmViewDesc|domObserver)\b`,
  String.raw`\.input\b.*mouseDown`,
]

/** The same of markdown-it, prosemirror-markdown, ws, Koa and Node. */
const privateInService = [
  ...privateInAny,
  String.raw`\b__(?!proto__)\w+__\b`,
  String.raw`\btokenHandlers\b`,
  String.raw`\b_(socket|sender|receiver|handle|events|header|http\w+|readable\w+|writable\w+)\b`,
  String.raw`\w\[\s*'_`,
  String.raw`\bgetOwnPropertySymbols\b`,
]

/** Which names of Yjs are used that are not among these, and the first private field. */
function privateUses({ text }: Source, allowed: readonly string[], fields: readonly string[]) {
  const names = [...text.matchAll(/\bY\.(\w+)/g)].map((match) => match[1] ?? '')
  const found = new RegExp(fields.join('|')).exec(text)
  return [...names.filter((name) => !allowed.includes(name)), ...(found ? [found[0]] : [])]
}

test('what libraries keep private is known to the service in three folders alone', () => {
  none(
    offences((source) => {
      const isOfService = ['schema', 'core', 'server', 'rest', 'persistence'].includes(
        source.folder,
      )
      const mayKnow = serviceInternals.some((room) => source.path.startsWith(room))
      return mayKnow || !isOfService ? [] : privateUses(source, yjsForAll, privateInService)
    }),
  )
})

test('what libraries keep private is known to the page in web/internals alone', () => {
  none(
    offences((source) => {
      const mayKnow = source.path.startsWith('web/internals/')
      if (mayKnow || source.folder !== 'web') return []
      return privateUses(source, yjsForPage, privateInPage)
    }),
  )
})

test('the rooms of Yjs know Yjs, not documents', () => {
  none(
    offences((source) =>
      isYjsRoom(source.path)
        ? source.imports
            .map((imported) => (imported.startsWith('.') ? targetOf(source, imported) : imported))
            .filter((target) => !/^(core\/yjs|schema\/yjs|lib0)\/|^yjs$/.test(target))
        : [],
    ),
  )
})

test('persistence knows bytes and keys, not documents', () => {
  none(
    offences((source) =>
      source.folder === 'persistence'
        ? source.imports
            .map((imported) => targetOf(source, imported))
            .filter((target) => target.startsWith('schema/'))
            .filter((target) => !persistenceMayUse.includes(target.slice('schema/'.length)))
        : [],
    ),
  )
})

test('every library has one home', () => {
  none(
    offences((source) =>
      source.imports.filter((imported) => {
        const parts = imported.split('/')
        const name = imported.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
        const home = homes[name]
        const isOutside = source.folder === 'tests' || source.folder === 'examples'
        return (
          home !== undefined && !isOutside && !home.some((at) => source.path.startsWith(`${at}/`))
        )
      }),
    ),
  )
})

test('schema is pure: no node modules', () => {
  none(
    offences((source) =>
      source.folder === 'schema' ? source.imports.filter((name) => name.startsWith('node:')) : [],
    ),
  )
})

test('files have at most 600 lines, lines at most 100 columns', () => {
  none(
    offences((source) => {
      const lines = source.text.split('\n')
      const long = lines.flatMap((line, index) =>
        line.length > 100 && !/https?:|^\s*(import|export) |[`'"]/.test(line)
          ? [`line ${index + 1}`]
          : [],
      )
      const many = lines.length > 600 && !longFiles.includes(source.path)
      return many ? [`${lines.length} lines`, ...long] : long
    }),
  )
})

test('clock and chance come from the Runtime alone', () => {
  const forbidden = new RegExp(
    [
      'Date\\.now\\(',
      'new Date\\(\\)',
      'Math\\.random\\(',
      'performance\\.now\\(',
      'set(Timeout|Interval|Immediate)\\(',
      'randomBytes\\(',
      'randomUUID\\(',
    ]
      .map((call) => `\\b${call}`)
      .join('|'),
  )
  const exempt = new Set(['server/runtime.ts', 'server/main.ts'])
  none(
    offences((source) => {
      if (['tests', 'examples', 'web'].includes(source.folder) || exempt.has(source.path)) return []
      const code = source.text
        .replace(/\bruntime\.randomBytes\(/g, '')
        .replace(/\/\*[\s\S]*?\*\//g, '')
      return forbidden.test(code.replace(/randomBytes\(count: number\)/g, ''))
        ? [String(forbidden.exec(code)?.[0])]
        : []
    }),
  )
})

test('chance in tests comes from tests/chance.ts', () => {
  const other = /\bMath\.(random|imul)\(|'pure-rand|\brandom(Bytes|UUID|Int) } from 'node:crypto'/
  none(
    offences((source) => {
      const isTest = source.folder === 'tests' && source.path !== 'tests/chance.ts'
      return isTest && source.path !== 'tests/tidy.test.ts' && other.test(source.text)
        ? [String(other.exec(source.text)?.[0])]
        : []
    }),
  )
})

test('every test file runs its tests', () => {
  none(
    offences((source) => {
      const isTest = /\.(test|long)\.tsx?$/.test(source.path)
      return isTest && !/\.run\(\)|\bstoreSuite\(/.test(source.text) ? ['no .run()'] : []
    }),
  )
})

test('every law with a seed says what it did', () => {
  none(
    offences((source) => {
      const isDrawn = /^tests\/laws\/.*\.(test|long)\.ts$/.test(source.path)
      const isTold = /\.tell\(/.test(source.text)
      return isDrawn && /\bseeds?\b/.test(source.text) && !isTold ? ['tells nothing'] : []
    }),
  )
})

test('every source says what it is', () => {
  none(offences((source) => (/^(#!.*\n)?\/\*\*/.test(source.text) ? [] : ['no opening comment'])))
})

test('no default exports, no any, no skipped checks', () => {
  none(
    offences((source) => {
      const code = source.text.replace(/\/\*[\s\S]*?\*\//g, '')
      const smells =
        /\bexport default\b|: any\b(?!\()|\bas any\b|@ts-ignore|@ts-expect-error|\.only\(/
      return source.path !== 'tests/tidy.test.ts' && smells.test(code)
        ? [String(smells.exec(code)?.[0])]
        : []
    }),
  )
})

test('nothing in the project speaks of how it is made', () => {
  const forbidden = /\.\.\/shared|\/work\/|open-details|interface\.md/
  none(
    offences((source) =>
      source.path !== 'tests/tidy.test.ts' && forbidden.test(source.text)
        ? [String(forbidden.exec(source.text)?.[0])]
        : [],
    ),
  )
})

test.run()
