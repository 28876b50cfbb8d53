/**
 * Lets the page itself open without the service: its HTML, always fetched anew while that is
 * possible, and its files, whose names change with what is in them. It holds no document and
 * answers nothing else: what is asked of the service is the service's to answer.
 */

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface Asked extends Waiting {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

/** What a worker's global scope has and a page's has not. */
interface Worker {
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: Waiting) => void): void
  addEventListener(type: 'fetch', listener: (event: Asked) => void): void
  addEventListener(type: 'message', listener: (event: Waiting & { data: unknown }) => void): void
}

const worker = self as unknown as Worker
const cacheName = 'page'
/** One build has some thirty files. */
const filesMax = 200

/** Where the service is, under whatever path. */
const base = location.pathname.replace(/\/worker\.js$/, '')
const home = `${base}/`
const documents = `${base}/d/`
const assets = `${base}/assets/`

/** Every document has the same page. */
const shellKey = (path: string): string => (path === home ? home : documents)
const isPage = ({ pathname, search }: URL): boolean => {
  if (search !== '') return false
  const slug = pathname.startsWith(documents) ? pathname.slice(documents.length) : ''
  return pathname === home || /^[^/]+$/.test(slug)
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

/** A page that was loaded before there was a worker says what it consists of. */
worker.addEventListener('message', (event) => {
  if (Array.isArray(event.data)) event.waitUntil(keepAll(event.data.map(String)))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const address = new URL(request.url)
  if (request.method !== 'GET' || address.origin !== location.origin) return
  if (request.mode === 'navigate' && isPage(address)) {
    event.respondWith(page(event, shellKey(address.pathname)))
  } else if (address.pathname.startsWith(assets)) {
    event.respondWith(file(event))
  }
})

async function page(event: Asked, key: string): Promise<Response> {
  const cache = await caches.open(cacheName)
  try {
    const answer = await fetch(event.request)
    event.waitUntil(put(key, answer.clone()))
    return answer
  } catch (error) {
    const kept = await cache.match(key)
    if (kept === undefined) throw error
    return kept
  }
}

async function file(event: Asked): Promise<Response> {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(event.request)
  if (kept !== undefined) return kept
  const answer = await fetch(event.request)
  const { pathname } = new URL(event.request.url)
  event.waitUntil(put(pathname, answer.clone()).then(() => trim(cache)))
  return answer
}

/** What the page has loaded, and its scripts that are loaded on first use. */
async function keepAll(loaded: readonly string[]): Promise<void> {
  await keep(loaded)
  const list = await fetch(`${assets}files.json`, { cache: 'reload' })
  const paths: readonly string[] = list.ok ? await list.json() : []
  await keep(paths.map((path) => `${base}${path}`))
}

async function keep(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName)
  for (const path of paths) {
    const address = new URL(path, location.origin)
    // A page names the files of its build.
    if (isPage(address)) await put(shellKey(address.pathname), await fetch(address))
    else if ((await cache.match(address.pathname)) === undefined) {
      await put(address.pathname, await fetch(address))
    }
  }
}

/** Unless it is not ours: a proxy in front may answer with its page to sign in. */
async function put(key: string, answer: Response): Promise<void> {
  if (!answer.ok || answer.redirected) return
  const isHtml = answer.headers.get('content-type')?.startsWith('text/html') === true
  const isOurs = key.startsWith(assets)
    ? !isHtml
    : isHtml && (await answer.clone().text()).includes('<div id="root">')
  if (!isOurs) return
  const cache = await caches.open(cacheName)
  await cache.put(key, answer)
}

/** Files of old builds go, the oldest first. */
async function trim(cache: Cache): Promise<void> {
  const files = (await cache.keys()).filter(({ url }) => url.includes(assets))
  for (const old of files.slice(0, -filesMax)) await cache.delete(old)
}
