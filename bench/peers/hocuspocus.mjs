/** Hocuspocus as its documentation starts it: in memory, no hooks. */
import { Server } from '@hocuspocus/server'

const server = new Server({ port: 0, address: '127.0.0.1', quiet: true })
await server.listen()
process.send({ port: server.httpServer.address().port })
