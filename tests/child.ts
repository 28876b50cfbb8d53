/**
 * A script of this repository as a process of its own, which does not outlive the one that started
 * it: a test that is killed leaves no service behind.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isCurrent, service } from '../server/build/built.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const withParent = new URL('with-parent.js', import.meta.url).href

export type Child = ChildProcessByStdio<null, Readable, Readable>

export interface ChildParts {
  /** From the root of the repository, or absolute: a source, or what was built in dist/. */
  readonly file: string
  readonly args?: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** What runs node, with its arguments behind its own. */
  readonly through?: readonly [command: string, ...args: string[]]
}

let hasBuild: boolean | undefined

export function startChild({ file, args = [], env, through }: ChildParts): Child {
  const isBuilt = file.startsWith('dist/')
  if (isBuilt) hasBuild ??= isCurrent(service)
  if (isBuilt && hasBuild === false) throw new Error('dist/ is not of these sources: npm run build')
  const loader = isBuilt ? [] : ['--import', 'tsx']
  const node = [process.execPath, ...loader, '--import', withParent, file, ...args]
  const [command = '', ...rest] = [...(through ?? []), ...node]
  const child = spawn(command, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env,
  })
  return child as unknown as Child
}
