/**
 * A way to PostgreSQL that breaks when a test wants it to: what a client sends arrives or not, late
 * or at once, and its answer does not come back.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type Cut =
  /** The next bytes to the server are lost, and the connection with them. */
  | 'before'
  /** They arrive; what is answered does not come back. */
  | 'after'
  /** They arrive a while after the client has seen its connection end. */
  | 'late'

const lateMs = 150

export class CuttingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #late: Promise<void>[] = []
  #armed: { readonly cut: Cut; readonly from: RegExp } | undefined
  /** Nothing comes through, either way, and no connection ends. */
  isSilent = false
  cuts = 0
  /** Where new connections go. */
  target: number

  private constructor(port: number) {
    this.target = port
    this.#server = createServer((client) => this.#serve(client, connect(this.target, '127.0.0.1')))
  }

  static async open(port: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(port)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The next bytes that say `from` to the server are cut. */
  arm(cut: Cut, from = /INTO scriptorium\.kv/): void {
    this.#armed = { cut, from }
  }

  get isArmed(): boolean {
    return this.#armed !== undefined
  }

  /** Resolves when the server has read and answered all that came late. */
  async arrived(): Promise<void> {
    await Promise.all(this.#late)
  }

  /** Ends every connection. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.cutAll()
    await closed
  }

  #serve(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      this.#sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => this.#sockets.delete(socket))
    }
    let isCut = false
    client.on('data', (bytes) => {
      const armed = this.#armed
      if (isCut || this.isSilent) return
      if (armed === undefined || !armed.from.test(bytes.toString('latin1'))) {
        server.write(bytes)
        return
      }
      this.#armed = undefined
      this.cuts += 1
      isCut = true
      client.destroy()
      if (armed.cut === 'before') server.destroy()
      else if (armed.cut === 'after') server.end(bytes)
      else {
        this.#late.push(new Promise((resolve) => server.once('close', () => resolve())))
        setTimeout(() => server.end(bytes), lateMs)
      }
    })
    server.on('data', (bytes) => {
      if (!isCut && !this.isSilent) client.write(bytes)
    })
    server.on('close', () => client.destroy())
    client.on('close', () => {
      if (!isCut) server.destroy()
    })
  }
}
