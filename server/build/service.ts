/**
 * Bundles the service and its commands, each into one file with its source map: a start reads one
 * file instead of a thousand and translates nothing.
 */
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { output, root } from './built.js'

const entries = [
  ...[
    'main.ts',
    'accounts.ts',
    'backup.ts',
    'copy.ts',
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

export async function buildService(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => join(root, `server/${name}`)),
    outdir: output,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'linked',
    plugins: [nativePart],
    logLevel: 'warning',
    banner: {
      // What libraries that are no ES modules ask Node for.
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  })
}
