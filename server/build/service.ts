/**
 * Bundles the service and its commands, each into one file with its source map: a start reads one
 * file instead of a thousand and translates nothing.
 */
import { join } from 'node:path'
import { build } from 'esbuild'
import { output, root } from './built.js'

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
  ...['scrypt-worker.js', 'artifact-worker.ts'],
]

export async function buildService(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => join(root, `server/${name}`)),
    outdir: output,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'linked',
    // It looks for its native part beside itself.
    external: ['classic-level'],
    // What libraries that are no ES modules ask Node for.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
}
