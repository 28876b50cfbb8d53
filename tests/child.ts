/**
 * A script of this repository as a process of its own, which does not outlive the one that started
 * it: a test that is killed leaves no service behind.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const withParent = new URL('with-parent.ts', import.meta.url).href

export type Child = ChildProcessByStdio<null, Readable, Readable>

export interface ChildParts {
  /** From the root of the repository, or absolute. */
  readonly file: string
  readonly args?: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** What runs node, with its arguments behind its own. */
  readonly through?: readonly [command: string, ...args: string[]]
}

export function startChild({ file, args = [], env, through }: ChildParts): Child {
  const node = [process.execPath, '--import', 'tsx', '--import', withParent, file, ...args]
  const [command = '', ...rest] = [...(through ?? []), ...node]
  const child = spawn(command, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env,
  })
  return child as unknown as Child
}
