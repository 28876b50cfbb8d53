/**
 * The page behind a proxy (extensions §1, §3): one that ends TLS in front of a service that was
 * told nothing, one that strips a path, and one that ends connections on which nothing goes.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../free-port.ts'
import { png } from '../pictures.ts'
import { type ProxySettings, ReverseProxy } from '../proxy.ts'
import { Stage, type StageDocument } from './stage.ts'

interface Scene {
  readonly stage: Stage
  readonly proxy: ReverseProxy
  close(): Promise<void>
}

const open = new Set<Scene>()
/** Also what a failure left open. */
const closeAll = async () => {
  for (const scene of [...open]) await scene.close()
}
test.after(closeAll)

/** `settings` of the service, by the address under which the proxy is found. */
async function behind(
  given: Omit<ProxySettings, 'port' | 'at'>,
  settings: (base: string) => NodeJS.ProcessEnv,
): Promise<Scene> {
  await closeAll()
  const [port, at] = [await freePort(), await freePort()]
  const proxy = await ReverseProxy.open({ ...given, port: () => port, at })
  const stage = await Stage.open({ PORT: String(port), ...settings(proxy.base) })
  const scene: Scene = {
    stage,
    proxy,
    async close() {
      open.delete(scene)
      await stage.close()
      await proxy.close()
    },
  }
  open.add(scene)
  return scene
}

const person = ({ stage, proxy }: Scene, more: object = {}): Promise<Page> =>
  stage.person({ baseURL: `${proxy.base}/`, ignoreHTTPSErrors: true, ...more })

const opened = (page: Page) => page.waitForSelector('main[data-synced="true"]')

/** By the create's own share address, as it is behind the proxy. */
async function comes(page: Page, { proxy }: Scene, made: StageDocument): Promise<void> {
  const { pathname, search } = new URL(made.shareAddress)
  const path = pathname.slice(pathname.indexOf('/d/'))
  await page.goto(`${proxy.base}${path}${search}`)
  await opened(page)
}

async function writes(page: Page, scene: Scene, made: StageDocument, words: string): Promise<void> {
  await page.locator('.text').getByText('Words.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(words)
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.match(await scene.stage.reads(made, new RegExp(words)), words)
}

test('§13 behind a TLS proxy a service that was told nothing is written to', async () => {
  const scene = await behind({ isSecure: true }, () => ({ BASE_URL: undefined }))
  const made = await scene.stage.document('Words.\n')
  const page = await person(scene)
  await comes(page, scene, made)
  await writes(page, scene, made, ' Typed')
  const cookies = await page.context().cookies()
  assert.ok(cookies.some(({ name }) => name === '__Host-origin'))
  await page.reload()
  await opened(page)
  await writes(page, scene, made, ' again')
})

test('§13 where a proxy loses the host, the page says which setting does not fit', async () => {
  const lost = { isSecure: true, losesHost: true }
  const scene = await behind(lost, () => ({ BASE_URL: undefined }))
  const made = await scene.stage.document('Words.\n')
  const page = await person(scene)
  const { pathname, search } = new URL(made.shareAddress)
  await page.goto(`${scene.proxy.base}${pathname}${search}`)
  await page.getByText('BASE_URL').first().waitFor()
})

test('§13 under a path that a proxy strips: page, files, cookies, links, images, sockets', async () => {
  const scene = await behind({ prefix: '/wiki' }, (base) => ({ BASE_URL: base }))
  const { stage, proxy } = scene
  const made = await stage.document('Words.\n')
  const page = await person(scene)
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${proxy.base}/`)) outside.push(request.url())
  })
  await comes(page, scene, made)
  await writes(page, scene, made, ' Typed')
  const { pathname } = new URL(page.url())
  assert.is(pathname, `/wiki/d/${made.slug}`)
  for (const { name, path } of await page.context().cookies()) {
    assert.match(path, /^\/wiki(?:\/|$)/, name)
  }
  const uploaded = await page.evaluate(
    async ([path, bytes]) => {
      const body = Uint8Array.from(bytes ?? [])
      const headers = { 'Content-Type': 'image/png' }
      return (await (await fetch(path ?? '', { method: 'POST', body, headers })).json()).url
    },
    [`/wiki/docs/${made.slug}/images`, [...png()]] as const,
  )
  assert.match(String(uploaded), new RegExp(`^/docs/${made.slug}/images/`))
  const edits = [
    // By the address that it has, and by one that the service had before.
    { old_string: 'Words.', new_string: `![own](${proxy.base}${uploaded}) Words.` },
    { old_string: ' Typed', new_string: ` Typed ![before](https://old.example${uploaded})` },
  ]
  await stage.call('PATCH', `/docs/${made.slug}`, { token: made.token, body: { edits } })
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('.text .image img')]
    return images.length === 2 && images.every((one) => one.complete && one.naturalWidth > 0)
  })
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(`${proxy.base}/`)
  await page.locator(`a[href="/wiki/d/${made.slug}"]`).first().click()
  await opened(page)
  assert.equal(outside, [])
})

test('§13 under a path the page opens without the service, by its worker', async () => {
  const scene = await behind({ prefix: '/wiki' }, (base) => ({ BASE_URL: base }))
  const made = await scene.stage.document('Words.\n')
  const page = await person(scene, { serviceWorkers: 'allow' })
  await comes(page, scene, made)
  await writes(page, scene, made, ' Typed')
  await page.waitForFunction(async () => {
    const { active } = await navigator.serviceWorker.ready
    const kept = await (await caches.open('page')).keys()
    return active !== null && kept.some(({ url }) => url.endsWith('/wiki/d/'))
  })
  await page.context().setOffline(true)
  await page.reload()
  await page.locator('.text').getByText('Words. Typed').waitFor()
  await page.context().setOffline(false)
  await opened(page)
})

test('a proxy that ends idle connections, or restarts, loses nothing of what is written', async () => {
  const scene = await behind({ isSecure: true, idleMs: 1_500 }, (base) => ({ BASE_URL: base }))
  const made = await scene.stage.document('Words.\n')
  const page = await person(scene)
  await comes(page, scene, made)
  await writes(page, scene, made, ' One')
  while (scene.proxy.cut === 0) await page.waitForTimeout(50)
  await writes(page, scene, made, ' Two')
  scene.proxy.cutAll()
  await writes(page, scene, made, ' Three')
})

test('a page to sign in takes the place of none that the device keeps', async () => {
  const scene = await behind({}, (base) => ({ BASE_URL: base }))
  const made = await scene.stage.document('Words.\n')
  const page = await person(scene, { serviceWorkers: 'allow' })
  await comes(page, scene, made)
  await writes(page, scene, made, ' Typed')
  await page.waitForFunction(async () => {
    const { active } = await navigator.serviceWorker.ready
    const kept = await (await caches.open('page')).keys()
    return active?.state === 'activated' && kept.some(({ url }) => url.endsWith('/d/'))
  })
  scene.proxy.isSignedOut = true
  await page.reload()
  assert.is(await page.title(), 'Sign in')
  await page.context().setOffline(true)
  await page.reload()
  await page.locator('.text').getByText('Words. Typed').waitFor()
})

test('what is typed while a sign-in at the proxy has ended arrives once it is renewed', async () => {
  const scene = await behind({ isSecure: true }, (base) => ({ BASE_URL: base }))
  const made = await scene.stage.document('Words.\n')
  const page = await person(scene)
  await comes(page, scene, made)
  await writes(page, scene, made, ' One')
  scene.proxy.isSignedOut = true
  scene.proxy.cutAll()
  await page
    .getByRole('status')
    .getByText(/^Signed out/)
    .first()
    .waitFor()
  await page.keyboard.type(' Two')
  assert.is((await scene.stage.reads(made, /One/)).includes('Two'), false)
  await page.locator('.state-line [title*="Your sign-in at the proxy has ended"]').waitFor()
  scene.proxy.isSignedOut = false
  await page.getByRole('status').getByText('Saved').waitFor({ timeout: 60_000 })
  assert.match(await scene.stage.reads(made, /Two/), /One Two/)
})

test.run()
