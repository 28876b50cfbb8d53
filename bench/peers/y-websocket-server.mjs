/** The stock server of y-websocket, in memory, on a free port. */
import { createServer } from 'node:http'
import { setupWSConnection } from '@y/websocket-server/utils'
import WebSocket from 'ws'

const server = createServer()
const sockets = new WebSocket.Server({ noServer: true })
sockets.on('connection', setupWSConnection)
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws, request))
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
