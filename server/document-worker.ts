/**
 * A thread of documents: a document host whose messages come and go by this thread's port. It
 * writes nothing and listens to nobody else.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { documentRules } from '../core/document-rules.ts'
import { HostServer } from '../core/documents/host/host-server.ts'
import type { ToHost } from '../core/documents/host/messages.ts'
import type { DocumentThreadData } from './document-threads.ts'
import { systemRuntime } from './runtime.ts'
import { slugWriter } from './worked-on.ts'

const { workedOn, ...bounds } = workerData as DocumentThreadData

const server = new HostServer({
  runtime: systemRuntime,
  rules: documentRules(systemRuntime),
  ...bounds,
  post: (messages, handedOver) => parentPort?.postMessage(messages, handedOver),
  working: slugWriter(workedOn, systemRuntime),
})

parentPort?.on('message', (messages: readonly ToHost[]) => server.receive(messages))
