/**
 * The receivers of the bench of webhooks, in a process of their own: each a server on a port of its
 * own, of which the first never answers. Of the others it notes how long after its act each delivery
 * arrived: the text of the comment begins with the time of the act, by the clock of the machine.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceiversOrder = { readonly count: number } | 'arrived' | 'latencies' | 'forget'

/** Milliseconds since the epoch, with fractions. */
const now = (): number => performance.timeOrigin + performance.now()

let latencies: number[] = []

function receiver(isSilent: boolean): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (isSilent) return
      const arrivedAt = now()
      response.writeHead(204).end()
      const { data } = JSON.parse(Buffer.concat(chunks).toString())
      latencies.push(arrivedAt - Number.parseFloat(data.comment.text))
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
    })
  })
}

async function answerTo(order: ReceiversOrder): Promise<unknown> {
  if (order === 'arrived') return latencies.length
  if (order === 'latencies') return latencies
  if (order === 'forget') {
    latencies = []
    return true
  }
  return Promise.all(Array.from({ length: order.count }, (_, n) => receiver(n === 0)))
}

process.on('message', async (order: ReceiversOrder) => process.send?.(await answerTo(order)))
process.on('disconnect', () => process.exit(0))
