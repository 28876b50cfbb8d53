/**
 * Bundles the service and its commands, each into one file with its source map: a start reads one
 * file instead of a thousand and translates nothing. The service is started once, so that V8's
 * compilation of it is kept beside it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { cacheFile, wrapper } from '../code-cache.ts'
import { output, root, startArguments } from './built.js'

const entries = [
  ...[
    'main.ts',
    'accounts.ts',
    'backup.ts',
    'feedback.ts',
    'recover.ts',
    'reset-password.ts',
    'scrub.ts',
  ],
  ...['scrypt-worker.js', 'artifact-worker.ts', 'document-worker.ts'],
]

/** LevelDB's library looks for it beside itself. */
const nativePart: Plugin = {
  name: 'native-part',
  setup(build) {
    build.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.includes('/classic-level/')
        ? { path: 'classic-level/binding.js', external: true }
        : undefined,
    )
  },
}

const shared: BuildOptions = {
  absWorkingDir: root,
  outdir: output,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'linked',
  plugins: [nativePart],
  logLevel: 'warning',
}

const files = (names: readonly string[]) => names.map((name) => join(root, `server/${name}`))

export async function buildService(): Promise<void> {
  const modules = build({
    ...shared,
    entryPoints: files(entries),
    format: 'esm',
    banner: {
      // What libraries that are no ES modules ask Node for.
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  })
  const service = build({
    ...shared,
    entryPoints: files(['serve.ts']),
    format: 'cjs',
    define: { 'import.meta.url': 'here' },
    banner: { js: wrapper.banner },
    footer: { js: wrapper.footer },
  })
  await Promise.all([modules, service])
  await warm(pathToFileURL(join(output, 'serve.js')))
}

/** In a process of its own, which knows nothing of the settings that the service will have. */
async function warm(bundle: URL): Promise<void> {
  rmSync(cacheFile(bundle), { force: true })
  const file = join(root, 'server/build/warm.ts')
  const args = [...startArguments(), '--no-flush-bytecode', '--import', 'tsx', file, bundle.href]
  const { PATH, TMPDIR, NODE_OPTIONS } = process.env
  const env = { PATH, TMPDIR, NODE_OPTIONS, NODE_NO_WARNINGS: '1' }
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (data) => (errors += data))
  const [code] = await once(child, 'close')
  if (code !== 0) console.warn(`the service was not compiled ahead, and starts later:\n${errors}`)
}
