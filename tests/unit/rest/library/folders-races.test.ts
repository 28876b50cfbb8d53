/** Folders that several change at once, or a crash leaves half changed (extensions §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { folderDoorKey, folderKey } from '../../../../persistence/keys.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'
import { document, folder, household, made, names } from './folder-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

test('a folder that was being deleted when the process ended goes if it is empty, else stays', async () => {
  const { browser } = await household(scene)
  const empty = await made(browser, 'Empty')
  const full = await made(browser, 'Full')
  await document(browser, '# In', { kind: 'personal', parentFolderId: full })
  for (const id of [empty, full]) {
    const value = Buffer.from(JSON.stringify({ closed: true }))
    await service.store.commit({ puts: [{ key: folderDoorKey(id), value }] })
  }
  assert.equal(await names(browser), ['Full'])
  assert.equal(await names(browser, `?parent=${full}`), ['In'])
  assert.is((await folder(browser, 'Empty')).status, 201)
})

test('nothing comes into a folder that is deleted at the same time, and none goes with something in it', async () => {
  const { browser } = await household(scene)
  let gone = 0
  for (let round = 0; round < 12; round++) {
    const id = await made(browser, `F${round}`)
    const target = { kind: 'personal', parentFolderId: id }
    const body = { markdown: '# In', library_target: target }
    const put = () =>
      round % 2 === 0 ? browser.call('POST', '/docs', { body }) : folder(browser, 'Inner', target)
    const drop = () => browser.call('DELETE', `/docs/folders/${id}`)
    const answers = await Promise.all(
      round % 3 === 0 ? [put(), drop(), put()] : [drop(), put(), drop(), put()],
    )
    const isThere = (await service.store.get(folderKey(id))) !== undefined
    const wasPut = answers.some(({ status }) => status === 201)
    const wasDropped = answers.some(({ json }) => json['deleted'] === true)
    assert.is(isThere, !wasDropped)
    assert.not(wasPut && wasDropped)
    const refused = ['422 INVALID_PARENT', '409 FOLDER_NOT_EMPTY', '404 NOT_FOUND']
    for (const answer of answers) {
      if (answer.status >= 300) assert.ok(refused.includes(said(answer)), said(answer))
    }
    if (wasDropped) gone++
  }
  console.log(`folders deleted beside others' writes: ${gone} of 12`)
})

test('who renames a folder again and again keeps nobody from putting something into it', async () => {
  const { browser } = await household(scene)
  const id = await made(browser, 'F')
  let isOver = false
  const renames = async (loop: number) => {
    for (let count = 0; !isOver; count++) {
      const body = { name: `F ${loop} ${count}` }
      assert.is((await browser.call('PATCH', `/docs/folders/${id}`, { body })).status, 200)
    }
  }
  const loops = [renames(1), renames(2), renames(3)]
  for (let count = 0; count < 12; count++) {
    await document(browser, `# ${count}`, { kind: 'personal', parentFolderId: id })
  }
  isOver = true
  await Promise.all(loops)
})

test('two folders that are put into each other at the same time stay reachable', async () => {
  const { browser } = await household(scene)
  for (let round = 0; round < 8; round++) {
    const [a, b] = [await made(browser, `A${round}`), await made(browser, `B${round}`)]
    const into = (id: string, parentFolderId: string) =>
      browser.call('PATCH', `/docs/folders/${id}`, { body: { parentFolderId } })
    const answers = await Promise.all([into(a, b), into(b, a)])
    assert.equal(answers.map(said).toSorted(), ['200', '422 INVALID_PARENT'])
  }
  assert.is((await names(browser)).length, 8)
})

test.run()
