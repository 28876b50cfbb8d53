/**
 * The composition: everything is made here, in order, handed its parts, and closed in reverse
 * order. The only place that knows every layer.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ScryptCost } from '../core/accounts/passwords.ts'
import { openAssets } from '../core/assets/assets.ts'
import { documentRules } from '../core/document-rules.ts'
import type { Documents } from '../core/documents/contract.ts'
import {
  type DocumentsParts,
  hostedDocuments,
  openDocuments,
} from '../core/documents/front/documents.ts'
import { Feedback } from '../core/feedback/feedback.ts'
import { AddressPolicy } from '../core/outbound/address-policy.ts'
import { openPeople, type People } from '../core/people.ts'
import { Purges, type PurgesParts } from '../core/purge/purges.ts'
import {
  dataPaths,
  epochKey,
  freeBytes,
  OutcomeUnknown,
  readEpoch,
  readPurgedList,
  type Store,
  StoreFull,
  StoreUnavailable,
} from '../persistence/index.ts'
import { createRest } from '../rest/create-rest.ts'
import { webhookPayload } from '../rest/notifications/webhook-payload.ts'
import { type Limits, limits } from '../schema/limits.ts'
import type { Runtime, Timer } from '../schema/runtime.ts'
import { accountCommands } from './account-commands.ts'
import { openArtifactThread } from './artifact-thread.ts'
import { backupCommand } from './backup-command.ts'
import { type Config, ConfigError, onPort, socketName } from './config.ts'
import { boundConnections } from './connection-bound.ts'
import { listenForCommands } from './control-socket.ts'
import { openDocumentThreads } from './document-threads.ts'
import { feedbackCommands } from './feedback-export.ts'
import { createHttpServer, type RequestTimes } from './http-server.ts'
import { openIdentityProvider } from './identity-provider.ts'
import { Metrics, metricsFor } from './metrics.ts'
import type { Nodes } from './nodes/nodes.ts'
import { openStore, type StoreParts } from './open-store.ts'
import { systemLookUp } from './outbound/look-up.ts'
import { openOutbound } from './outbound/outbound.ts'
import { openScryptThread } from './scrypt-thread.ts'
import { keyFromFile, keyFromSetting } from './secret-key.ts'
import { SocketServer } from './sockets/socket-server.ts'

/** A document is named so long for backups that still have it. */
const purgedListKeptMs = 2 * 365 * 24 * 3_600_000

export interface Service {
  /** The port it listens on (chosen by the system when the setting is 0). */
  readonly port: number
  /** The address people use, that port in it. */
  readonly baseUrl: string
  readonly documents: Documents
  readonly store: Store
  /** Undefined: no other process uses the store. */
  readonly nodes: Nodes | undefined
  /** Stops accepting, flushes and closes everything. */
  stop(): Promise<void>
}

export interface ServiceParts extends StoreParts {
  /** Those of the limits unless a test is in a hurry. */
  readonly requestTimes?: RequestTimes
  /** Those of schema/limits.ts unless a test needs others. */
  readonly limits?: Limits | undefined
  /** The usual unless a test is in a hurry. */
  readonly passwordCost?: ScryptCost | undefined
  /** The most there may be; others are dropped. Without it as many as the system gives. */
  readonly connectionsMax?: number | undefined
  /** What threads of documents run, where a test needs another file. */
  readonly documentWorker?: URL | undefined
}

/** Starts the service; resolves when it accepts connections. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
  }
  try {
    return await compose(parts, closers, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function compose(
  parts: ServiceParts,
  closers: (() => Promise<void>)[],
  closeAll: () => Promise<void>,
): Promise<Service> {
  const { config, runtime, logger } = parts
  const paths = dataPaths(config.dataDirectory)
  const secretKey =
    config.secretKey === undefined
      ? await keyFromFile(paths.key, runtime)
      : keyFromSetting(config.secretKey)
  const opened = await openStore(parts, secretKey, (close) => closers.push(close))
  const { store, nodes, blobs, isFull } = opened
  const inBackground = (message: string) => (err: unknown) => {
    if (!isToldByStore(err)) logger.error({ err }, message)
  }
  const documents = documentsOf(parts, { store, nodes }, ({ slug, host, error }) => {
    if (isToldByStore(error)) return
    metrics.trouble(host === undefined ? 'document' : 'worker')
    if (host !== undefined) {
      logger.error({ worker: host, slug, err: error }, 'a document thread was replaced')
      return
    }
    const what = slug === undefined ? 'a sweep failed' : 'a document was dropped'
    logger.error({ slug, err: error }, `${what} and will be tried again`)
  })
  closers.push(() => documents.close())
  const hashing = openScryptThread()
  closers.push(() => hashing.close())
  const outbound = openOutbound({
    runtime,
    policy: new AddressPolicy({
      allowPrivate: config.webhooksAllowPrivate,
      allow: config.outboundAllow,
    }),
    lookUp: systemLookUp(),
  })
  const people: People = openPeople({
    store,
    runtime,
    secretKey,
    scrypt: hashing.scrypt,
    passwordCost: parts.passwordCost,
    documents,
    webhooks: {
      outbound,
      payload: (event) => webhookPayload(event, { documents, access: people.access }),
      facts: (slug) => documents.facts(slug),
      timeoutMs: config.webhookTimeoutMs,
      retriesMs: config.webhookRetriesMs,
      limits: parts.limits,
      onGivenUp: ({ agentId, id, count, error }) => {
        metrics.givenUp(count)
        const fields = { agent_id: agentId, delivery_id: id, count, error }
        logger.warn(fields, 'webhook deliveries failed permanently')
      },
    },
    onDuty: nodes?.duties.onDuty,
    onTrouble: inBackground('work in the background failed'),
  })
  closers.push(() => people.close())
  const artifacts = openArtifactThread(runtime)
  closers.push(() => artifacts.close())
  const assets = await openAssets({
    store,
    blobs,
    runtime,
    minFreeBytes: config.minFreeBytes,
    freeBytes: () => freeBytes(config.dataDirectory),
    isFull,
    normalize: artifacts.normalize,
  })
  const kept = assets.blobs
  const feedback = new Feedback({
    store,
    runtime,
    blobs: kept,
    writing: assets.writing,
    onTrouble: inBackground('old feedback images could not be deleted'),
  })
  closers.push(async () => feedback.close())
  const purges = await openPurges({
    ...parts,
    documents,
    store,
    blobs: kept,
    secretKey,
    onDuty: nodes?.duties.onDuty,
    onTrouble: inBackground('a document could not be deleted and will be tried again'),
  })
  closers.push(() => purges.close())
  let isStopping = false
  const metrics = new Metrics({
    openDocuments: () => documents.openCount,
    documents: () => documents.usage,
    liveSockets: () => sockets.liveCount,
    changeSockets: () => sockets.changeCount,
    node: nodes && (() => nodes.usage),
  })
  const settings = { ...config }
  const firstEpoch = await readEpoch(store)
  const epoch = () => nodes?.epoch ?? firstEpoch
  const rest = createRest({
    documents,
    epoch,
    people,
    purges,
    assets,
    feedback,
    runtime,
    logger,
    config: settings,
    ready: async () =>
      !isStopping &&
      nodes?.membership.isServing !== false &&
      (await store.get(epochKey)) !== undefined,
    metrics: metricsFor(metrics, config.metricsToken),
    observe: (seen) => metrics.request(seen),
    count: (event) => metrics.count(event),
    identityProvider:
      config.provider && openIdentityProvider({ ...config.provider, runtime, logger }),
  })
  const sockets = new SocketServer({
    documents,
    rest,
    runtime,
    epoch,
    space: assets.space,
    onError: (error) => {
      if (isToldByStore(error)) return
      metrics.trouble('socket')
      logger.error({ err: error }, 'a socket was closed by an error')
    },
  })
  const answer = rest.callback()
  const router = nodes?.serve({ sockets, refuse: rest.refuse, quotas: rest.quotas })
  const server = createHttpServer({
    runtime,
    answer: router?.handler(answer) ?? answer,
    answerExpecting: router?.expectingHandler(answer),
    times: parts.requestTimes,
  })
  if (parts.connectionsMax !== undefined) boundConnections(server, parts.connectionsMax)
  sockets.attach(server, router && ((...upgrade) => router.upgrade(...upgrade)))
  closers.push(() => closeServer(server, runtime))
  if (config.store.kind !== 'memory') {
    const source = { store, blobs, keyFile: paths.key, purgedFile: paths.purged }
    const socketPath = join(config.dataDirectory, socketName)
    const commands = {
      ...(config.store.kind === 'level' && { backup: backupCommand(source, runtime, kept) }),
      ...feedbackCommands(feedback),
      ...accountCommands(people.accounts, () => settings.baseUrl),
    }
    closers.push(await listenForCommands({ commands, socketPath, logger }))
  }
  await listen(server, config)
  closers.push(async () => {
    isStopping = true
    await nodes?.drain()
    sockets.close()
    runtime.after(limits.stopWithinMs / 5, () => sockets.terminate())
  })
  const { port } = server.address() as AddressInfo
  const nodeUrl = config.nodeUrl ?? `http://127.0.0.1:${port}`
  if (nodes?.reaches(nodeUrl) === false) {
    throw new ConfigError('NODE_URL', 'an address that nodes on other machines reach', nodeUrl)
  }
  await nodes?.listens(nodeUrl)
  const { baseUrl } = Object.assign(settings, onPort(config, port))
  return { port, baseUrl, documents, store, nodes, stop: closeAll }
}

/** What is not documents, and what V8 has not collected yet, takes the rest. */
const documentsPart = 1 / 3

/** In threads of their own, or in this one. */
function documentsOf(
  { config, runtime, limits: given, documentWorker: file }: ServiceParts,
  { store, nodes }: { readonly store: Store; readonly nodes: Nodes | undefined },
  onTrouble: DocumentsParts['onTrouble'],
): Documents {
  const { documentThreads: small, maxMarkdownBytes: markdownMaxBytes } = config
  const memoryAimBytes = config.memoryBytes * documentsPart
  if (small === 0) {
    const rules = documentRules(runtime)
    const shared = { store, leased: nodes, runtime, markdownMaxBytes, limits: given, onTrouble }
    return openDocuments({ ...shared, rules, memoryAimBytes })
  }
  const large = small < 3 ? 1 : 2
  const shared = { store, runtime, limits: given, onTrouble }
  const hosts = openDocumentThreads({
    ...shared,
    store: nodes?.hostStore ?? store,
    ...{ small, large, markdownMaxBytes, memoryAimBytes, file },
  })
  return hostedDocuments({ ...shared, hosts: nodes?.around(hosts) ?? hosts })
}

type PurgesGiven = Pick<
  PurgesParts,
  'documents' | 'store' | 'blobs' | 'secretKey' | 'onDuty' | 'onTrouble'
>

/** What a backup brought back is not served. */
async function openPurges(given: ServiceParts & PurgesGiven): Promise<Purges> {
  const { config, runtime } = given
  const path = dataPaths(config.dataDirectory).purged
  const list =
    config.store.kind !== 'memory'
      ? await readPurgedList(path, { now: runtime.now(), keptMs: purgedListKeptMs })
      : undefined
  const purges = new Purges({ ...given, list })
  await purges.start()
  return purges
}

/** The log has a line for all of them. */
const isToldByStore = (error: unknown): boolean =>
  [StoreFull, StoreUnavailable, OutcomeUnknown].some((kind) => error instanceof kind)

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

const closeIdleEveryMs = 50

/** Waits for requests under way, for a while; a connection goes as soon as it is idle. */
function closeServer(server: Server, runtime: Runtime): Promise<void> {
  return new Promise((resolve) => {
    let idle: Timer
    const closeIdle = () => {
      server.closeIdleConnections()
      idle = runtime.after(closeIdleEveryMs, closeIdle)
    }
    const late = runtime.after(limits.stopWithinMs / 2, () => server.closeAllConnections())
    server.close(() => {
      idle.cancel()
      late.cancel()
      resolve()
    })
    closeIdle()
  })
}
