/** Builds the browser page, and lays beside each of its files that shrinks the compressed ones. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { limits } from '../../schema/limits.ts'
import { output as built, root } from './built.js'

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

const output = join(built, 'web')
/** Its address is registered in browsers, so it has no hash in its name. */
const worker = 'worker'

/** The bounds that the page asks for stand in its scripts as numbers: it needs few of them all. */
const boundsAsNumbers: Plugin = {
  name: 'bounds-as-numbers',
  enforce: 'pre',
  transform(code, id) {
    // The bundler keeps objects that are spread, though nobody asks for them.
    if (id === join(root, 'schema/limits.ts')) return 'export const limits = undefined'
    if (!/^import \{ limits \} from '.*\/limits\.ts'$/m.test(code)) return null
    if (/[=(,]\s*limits\b(?!\.)/.test(code)) throw new TypeError(`${id} asks for all limits`)
    return code.replace(/(?<!\/)\blimits\.(\w+)/g, (_, name: string) => {
      const bound = Object.entries(limits).find(([known]) => known === name)
      if (bound === undefined) throw new TypeError(`${id} asks for a limit that is none: ${name}`)
      return JSON.stringify(bound[1])
    })
  },
}

/**
 * One HTML file for documents and one for all other addresses, hashed assets beside them. What is
 * needed only on first use is imported dynamically in web/ and becomes a chunk of its own.
 */
const config: InlineConfig = {
  configFile: false,
  root: join(root, 'web'),
  // Where the page is, under whatever path: the service writes that into the HTML.
  base: './',
  plugins: [boundsAsNumbers, react()],
  build: {
    outDir: output,
    emptyOutDir: true,
    target: ['es2022', 'chrome123', 'safari17.5', 'firefox120'],
    // Without the language's year, which stands for browsers that know no `:dir()`.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    chunkSizeWarningLimit: 800,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        index: join(root, 'web/index.html'),
        home: join(root, 'web/home.html'),
        [worker]: join(root, `web/${worker}.ts`),
      },
      output: {
        entryFileNames: ({ name }) =>
          name === worker ? `${worker}.js` : 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [{ name: firstLoaded, debugName: 'first loaded', tags: ['$initial'] }],
        },
      },
    },
  },
}

/**
 * What is loaded at the start is in few files: what home and a document share, and what each of
 * them needs beside it. Left to itself the bundler makes one for each set of lazy parts that share
 * some of it, and a browser takes six at a time.
 */
function firstLoaded(id: string, context: Rolldown.ChunkingContext): string | null {
  const starts = ['main.tsx', 'home.tsx', `${worker}.ts`].map((name) => join(root, 'web', name))
  const [ofDocument = '', ofHome = '', ofWorker = ''] = starts
  const reaches = (start: string): boolean => {
    const seen = new Set([start])
    for (const each of seen) {
      for (const next of context.getModuleInfo(each)?.importedIds ?? []) seen.add(next)
    }
    return seen.has(id)
  }
  // What a page begins with runs when it is loaded.
  const isStart = starts.includes(id) || context.getModuleInfo(id)?.isEntry
  if (isStart || reaches(ofWorker)) return null
  if (!reaches(ofDocument)) return 'list'
  return reaches(ofHome) ? 'common' : 'document'
}

/** Large, and not wanted by everybody: kept by a browser when it was used there. */
const optional = /^(?:emoji|grammars|source-editor)-/

/** What a page that opens without the service may need of itself, beside what it has loaded. */
async function listScripts(): Promise<void> {
  const isNeeded = (name: string) => /\.(js|css)$|-latin-wght-\w+-[\w-]+\.woff2$/.test(name)
  const names = await readdir(join(output, 'assets'))
  const files = names.filter((name) => isNeeded(name) && !optional.test(name))
  const paths = files.map((name) => `/assets/${name}`)
  await writeFile(join(output, 'assets/files.json'), JSON.stringify(paths))
}

/** Beside each file that shrinks, the same once for all as browsers like it on the way. */
async function compress(): Promise<void> {
  const entries = await readdir(output, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => /\.(js|css|svg|json)$/.test(entry.name))
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const bytes = await readFile(path)
      await Promise.all([
        writeFile(`${path}.gz`, await toGzip(bytes, { level: 9 })),
        writeFile(`${path}.br`, await toBrotli(bytes)),
      ])
    }),
  )
}

export async function buildPage(isTalkative: boolean): Promise<void> {
  await build({ ...config, logLevel: isTalkative ? 'info' : 'warn' })
  await listScripts()
  await compress()
}
