/** Edits take their turn in a host as all other work does: of what waits, theirs who had least. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { showing } from '../../../../../core/commit/showing-store.ts'
import type { Sources } from '../../../../../core/documents/contract.ts'
import { DocumentHost } from '../../../../../core/documents/host/document-host.ts'
import { noRules } from '../../../../../core/documents/host/rules.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'

const writer = { actor: 'ai:ann' as ActorId, authMethod: 'token' } as const
const by = (name: string): Sources => ({ address: `address of ${name}`, link: `link of ${name}` })

/** A host in which each piece of work takes some time. */
class Scene {
  readonly runtime = new SimulatedRuntime()
  readonly host: DocumentHost
  /** Who edited, in the order in which that was done. */
  readonly edited: string[] = []

  static async open(): Promise<Scene> {
    return new Scene(await openMemoryStore({ runtime: new SimulatedRuntime() }))
  }

  private constructor(store: Awaited<ReturnType<typeof openMemoryStore>>) {
    this.host = new DocumentHost({
      store: showing(store),
      runtime: this.runtime,
      rules: noRules,
      limits,
      markdownMaxBytes: limits.markdownMaxBytes,
      memoryMaxBytes: limits.memoryMaxBytes,
      onTrouble: ({ error }) => assert.unreachable(String(error)),
      working: () => this.runtime.work(5),
    })
  }

  async create(sources: Sources): Promise<Slug> {
    const slug = newSlug(this.runtime)
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    const empty = { costBytes: undefined, permission: undefined, keeping: undefined, replay: {} }
    const made = { slug, markdown: 'words\n', writer, sources, linkAccess }
    await this.host.call('create', { ...made, ...empty, puts: [], founding: [] })
    return slug
  }

  async edit(who: string, slug: Slug): Promise<void> {
    const edits = [{ old_string: 'words', new_string: 'more words' }]
    const ask = { slug, edits, dryRun: false, writer, sources: by(who) }
    const onWork = () => void this.edited.push(who)
    await this.host.call('patch', { ...ask, permission: undefined, keeping: undefined }, onWork)
  }
}

test('an edit of somebody who had little is done before the many of one who had much', async () => {
  const scene = await Scene.open()
  const [hogs, others] = [await scene.create(by('hog')), await scene.create(by('honest'))]
  const edits: Promise<void>[] = []
  scene.host.takingIn(() => {
    for (let at = 0; at < 10; at++) edits.push(scene.edit('hog', hogs))
    edits.push(scene.edit('honest', others))
  })
  await Promise.all(edits)
  assert.is(scene.edited.length, 11)
  assert.equal(scene.edited.slice(0, 2), ['hog', 'honest'])
  await scene.host.close()
})

test.run()
