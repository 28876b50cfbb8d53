/**
 * Builds the browser page where what was built is missing or older than its sources (`npm start`
 * and the tests call it first; `npm run build` always builds). What was built carries the hash of
 * what it was built from.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig } from 'vite'

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/web')
/** Its address is registered in browsers, so it has no hash in its name. */
const worker = 'worker'

/**
 * One HTML file for every address, hashed assets beside it. What is needed only on first use is
 * imported dynamically in web/ and becomes a chunk of its own.
 */
const config: InlineConfig = {
  configFile: false,
  root: join(root, 'web'),
  plugins: [react()],
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
      input: { index: join(root, 'web/index.html'), [worker]: join(root, `web/${worker}.ts`) },
      output: {
        entryFileNames: ({ name }) =>
          name === worker ? `${worker}.js` : 'assets/[name]-[hash].js',
      },
    },
  },
}
const stamp = join(output, '.sources')

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** What a page that opens without the service may need of itself, beside what it has loaded. */
async function listScripts(): Promise<void> {
  const isNeeded = (name: string) => /\.(js|css)$|-latin-wght-\w+-[\w-]+\.woff2$/.test(name)
  const files = (await readdir(join(output, 'assets'))).filter(isNeeded)
  const paths = files.map((name) => `/assets/${name}`)
  await writeFile(join(output, 'assets/files.json'), JSON.stringify(paths))
}

/** Beside each file that shrinks, the same once for all as browsers like it on the way. */
async function compress(): Promise<void> {
  const files = (await filesOf('dist/web')).filter((path) => /\.(js|css|svg|json)$/.test(path))
  await Promise.all(
    files.map(async (path) => {
      const bytes = await readFile(path)
      await Promise.all([
        writeFile(`${path}.gz`, await toGzip(bytes, { level: 9 })),
        writeFile(`${path}.br`, await toBrotli(bytes)),
      ])
    }),
  )
}

/** A hash over every file that the page is built from, this and the lock file included. */
async function sourcesHash(): Promise<string> {
  const folders = await Promise.all([filesOf('web'), filesOf('schema')])
  const hash = createHash('sha256')
  const others = [join(root, 'package-lock.json'), fileURLToPath(import.meta.url)]
  for (const file of [...folders.flat(), ...others].sort()) {
    hash.update(`${file.slice(root.length)}\0`).update(await readFile(file))
  }
  return hash.digest('hex')
}

const wanted = await sourcesHash()
const built = await readFile(stamp, 'utf8').catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
})
if (built !== wanted || process.argv.includes('--force')) {
  await build({ ...config, logLevel: process.argv.includes('--force') ? 'info' : 'warn' })
  await listScripts()
  await compress()
  await writeFile(stamp, wanted)
}
