/**
 * What an edit would cost at the least: a bare HTTP server that reads the request, appends a record,
 * waits for the disk and answers. How long record and answer are, it is told.
 */
import { closeSync, fdatasync, openSync, write } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'

interface Order {
  readonly file: string
}

/** A request says how many bytes are to be written and answered. */
const numberOf = (request: IncomingMessage, name: string) => Number(request.headers[name])

function listen({ file }: Order): void {
  const log = openSync(file, 'a')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString())
      const record = Buffer.alloc(numberOf(request, 'x-record'), 1)
      write(log, record, (failed) => {
        if (failed !== null) throw failed
        fdatasync(log, (failed) => {
          if (failed !== null) throw failed
          const answer = Buffer.alloc(numberOf(request, 'x-answer'), 'x')
          response.setHeader('content-type', 'application/json')
          response.setHeader('content-length', answer.length)
          response.end(answer)
        })
      })
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
  process.on('SIGTERM', () => {
    closeSync(log)
    process.exit(0)
  })
}

process.once('message', (order: Order) => listen(order))
process.on('disconnect', () => process.exit(0))
