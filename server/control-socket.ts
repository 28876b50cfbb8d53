/**
 * The door for an operator's commands while the service runs: a Unix socket in the data directory,
 * mode 0600. One JSON line in, `{command, …}`; one JSON line out, `{ok, …}`.
 */
import { existsSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import type { Logger } from 'pino'

/** One line of an operator's command, in UTF-16 units. */
const commandMaxChars = 64 * 1024

/** What it throws is told to the operator. */
export type Command = (request: Readonly<Record<string, unknown>>) => Promise<object>

/** A part of a request that has to be text. */
export function required(request: Readonly<Record<string, unknown>>, name: string): string {
  const value = request[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`${name} is missing`)
}

export interface Refused {
  readonly ok: false
  readonly error: string
}

export interface ControlDoor {
  readonly commands: Readonly<Record<string, Command>>
  readonly socketPath: string
  readonly logger: Logger
}

/** Returns how to close it. */
export async function listenForCommands(door: ControlDoor): Promise<() => Promise<void>> {
  const { socketPath, logger } = door
  await rm(socketPath, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    void serve(socket, door)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  await chmod(socketPath, 0o600)
  logger.debug({ socketPath }, 'commands are sent on request')
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
}

/** An operator may hang up at any moment: `error` is heard above, and nothing else listens. */
async function serve(socket: Socket, { commands, logger }: ControlDoor): Promise<void> {
  const line = await firstLine(socket)
  if (line === undefined) return
  const { command, answer } = await answerTo(line, commands)
  // What is answered may hold a secret.
  const told = 'error' in answer ? { command, error: answer.error } : { command }
  logger.info(told, 'command')
  socket.end(`${JSON.stringify(answer)}\n`)
}

/** `undefined`: it closed without one, or sent more than a command can be. */
function firstLine(socket: Socket): Promise<string | undefined> {
  let text = ''
  return new Promise((resolve) => {
    socket.setEncoding('utf8')
    socket.on('close', () => resolve(undefined))
    socket.on('data', (data) => {
      text += data
      const end = text.indexOf('\n')
      if (end >= 0) {
        socket.pause()
        resolve(text.slice(0, end))
      } else if (text.length > commandMaxChars) socket.destroy()
    })
  })
}

type CommandAnswer = Refused | { readonly ok: true }

async function answerTo(
  line: string,
  commands: ControlDoor['commands'],
): Promise<{ command: string; answer: CommandAnswer }> {
  let command = 'unknown'
  try {
    const { command: name, ...request }: Record<string, unknown> = JSON.parse(line)
    const known = Object.entries(commands).find(([each]) => each === name)
    if (known === undefined) throw new Error('unknown command')
    command = known[0]
    return { command, answer: { ok: true, ...(await known[1](request)) } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { command, answer: { ok: false, error: message } }
  }
}

/** What the running service answers; `undefined`: none listens. */
export function ask<A extends CommandAnswer>(
  socketPath: string,
  request: { readonly command: string } & Readonly<Record<string, unknown>>,
): Promise<A | undefined> {
  if (!existsSync(socketPath)) return Promise.resolve(undefined)
  return new Promise((done) => {
    let reply = ''
    const socket = connect(socketPath, () => socket.write(`${JSON.stringify(request)}\n`))
    socket.on('data', (data) => {
      reply += data
    })
    socket.on('error', () => done(undefined))
    socket.on('end', () => {
      socket.destroy()
      done(reply === '' ? undefined : JSON.parse(reply))
    })
  })
}
