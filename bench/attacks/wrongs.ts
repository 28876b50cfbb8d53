/** Attacks that are no load: one message is enough to end somebody else's client, or their typing. */
import type { Report } from '../report.ts'
import type { Created } from '../service.ts'
import type { Attack, Facts } from './order.ts'
import { pause } from './outlet.ts'
import { addresses, Scene, within } from './scene.ts'

const most = 60_000

async function once(scene: Scene, attack: Omit<Attack, 'seconds' | 'many'>): Promise<Facts> {
  const attacks = [{ ...attack, seconds: 5, many: 1 }]
  return scene.attack({ from: addresses.attacker, attacks }, most)
}

/** Nested brackets from somebody who knows the slug of a document that anybody may read. */
export async function nestedBrackets(report: Report): Promise<void> {
  const scene = await Scene.open()
  try {
    const document = await scene.service.create('# Here\n')
    const bystander = scene.driver('bystander.ts')
    const { slug } = document
    const parts = { port: scene.service.port, from: addresses.honest, slug }
    await bystander.ask({ ...parts, token: document.owner.token })
    const facts = await once(scene, { kind: 'brackets', target: { slug, tokens: [] } })
    await pause(500)
    const heard = await within(
      5_000,
      bystander.ask('heard').catch(() => 'nothing'),
    )
    report.add({
      what: '8,000 nested brackets as presence, then others: a stock client beside',
      value: bystander.ended === undefined && heard !== undefined ? 'lives' : 'ended',
      target: 'lives',
      met: bystander.ended === undefined && heard !== undefined,
    })
    const end = /\b(\w*Error: .*)/.exec(bystander.errors)?.[1]
    if (end !== undefined) report.note('… what ended it', end)
    report.note('… states that the attacker could send', String(facts['brackets: sent'] ?? 0))
  } finally {
    await scene.close()
  }
}

/** A clientID taken while its owner's line is down: by a passer-by, and by another editor. */
export async function squatting(report: Report): Promise<void> {
  const scene = await Scene.open()
  try {
    for (const eve of ['a passer-by', 'another editor']) {
      const document: Created = await scene.service.create('# Here\n')
      const { slug } = document
      const tokens = await scene.tokens(document, eve === 'a passer-by' ? 1 : 2)
      const facts = await once(scene, { kind: 'squat', target: { slug, tokens } })
      const isClosed = facts['squat: Alice closed for good']
      const isHeard = facts['squat: Alice heard']
      report.add({
        what: `Alice’s clientID announced by ${eve} while her line is down`,
        value: `${isClosed === 0 ? 'not closed' : 'closed for good'}, ${isHeard === 1 ? '' : 'not '}heard`,
        target: 'not closed, heard',
        met: isClosed === 0 && isHeard === 1,
      })
    }
  } finally {
    await scene.close()
  }
}
