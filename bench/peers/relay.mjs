/** The limit to quote: a server that knows nothing and sends each frame to everyone in the room. */
import { createRequire } from 'node:module'

const { WebSocketServer } = createRequire(new URL('../../package.json', import.meta.url))('ws')
const rooms = new Map()
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
server.on('connection', (socket, request) => {
  const members = rooms.get(request.url) ?? new Set()
  rooms.set(request.url, members.add(socket))
  socket.on('close', () => members.delete(socket))
  socket.on('message', (data) => {
    for (const member of members) member.send(data)
  })
})
server.on('listening', () => process.send({ port: server.address().port }))
