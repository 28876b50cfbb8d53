/**
 * Interface §3, §4, §5 and §7, extensions §2, §3 and §9: who gets what of every route. The table
 * and its rules are written from the contract's words; here each case of them is played on a real
 * service: route × caller × state of the document × general access.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../rest/all-routes.ts'
import { Service } from '../../client.ts'
import { Tally } from '../../tally.ts'
import { play } from './ask.ts'
import { DISCUSSED } from './discussion-table.ts'
import { LIBRARY } from './library-table.ts'
import { PEOPLE } from './people-table.ts'
import { CALLERS, type Caller, expected, isDocumentRow, type Outcome, type Row } from './rules.ts'
import { type Cast, makeCast, makeScenes, type Scene, shape } from './scenes.ts'
import { TABLE } from './table.ts'
import { UPLOADED } from './uploads-table.ts'

const service = new Service({
  RATE_LINK: '0',
  RATE_LOGIN: '0',
  RATE_GUESS: '0',
  RATE_INVITE: '0',
  RATE_FEEDBACK: '0',
})

const nameOf = ({ route, variant }: Row): string => [route, variant].filter(Boolean).join(', ')
const BUILT = [...TABLE, ...DISCUSSED, ...UPLOADED, ...PEOPLE, ...LIBRARY]
const documentRows = BUILT.filter(isDocumentRow)
const otherRows = BUILT.filter((row) => !isDocumentRow(row))
const callers = Object.keys(CALLERS).filter((one): one is Caller => one in CALLERS)

let cast: Cast
let scenes: readonly Scene[] = []

test.before(async () => {
  await service.start()
  cast = await makeCast(service)
  scenes = await makeScenes(service, cast)
})
test.after(() => service.remove())

test('every mounted route has a row, and every row a route', () => {
  const mounted = routes.map(({ declaration: { method, path } }) => shape(`${method} ${path}`))
  const rows = BUILT.map(({ route }) => shape(route))
  assert.equal(
    mounted.filter((route) => !rows.includes(route)),
    [],
    'mounted, without a row',
  )
  assert.equal(
    rows.filter((route) => !mounted.includes(route)),
    [],
    'rows of nothing',
  )
})

/** Whether what came is among what the contract says. */
function fits(row: Row, scene: Scene, outcome: Outcome, got: string): boolean {
  if (outcome === 'silent') return !got.startsWith('5')
  if (outcome === 'refused') return got.startsWith('4')
  const wanted = outcome === 'ok' ? (row.okIn?.[scene.state] ?? row.ok) : outcome
  return wanted.split('|').includes(got)
}

async function playAll(rows: readonly Row[], scene: Scene, tally: Tally): Promise<string[]> {
  const wrong: string[] = []
  for (const row of rows) {
    for (const caller of callers.filter((one) => scene.credentials.has(one))) {
      const outcome = expected(row, caller, scene.state, scene.access)
      const got = await play({ service, cast }, { row, caller, scene, outcome })
      tally.add(outcome)
      if (fits(row, scene, outcome, got)) continue
      const wanted = outcome === 'ok' ? (row.okIn?.[scene.state] ?? row.ok) : outcome
      const which = [nameOf(row), caller, scene.state, scene.access]
      wrong.push(`${which.join(', ')}: ${wanted} expected, ${got} came`)
    }
  }
  return wrong
}

test('interface §5: each caller gets of each document what its role and the state say', async () => {
  const tally = new Tally()
  const wrong = await Promise.all(scenes.map((scene) => playAll(documentRows, scene, tally)))
  assert.equal(wrong.flat(), [])
  tally.tell('matrix of documents', { ok: 40, '403 FORBIDDEN': 70 })
})

test('interface §5: each caller gets of the other routes what it is', async () => {
  const tally = new Tally()
  const scene = scenes.find(({ state, access }) => state === 'active' && access === 'restricted')
  assert.ok(scene)
  assert.equal(scene && (await playAll(otherRows, scene, tally)), [])
  tally.tell('matrix of the rest', { ok: 40 })
})

test.run()
