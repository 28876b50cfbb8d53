/**
 * Interface §4.5: a block that is moved, wrapped or converted keeps its id, its authors and the
 * text that was on its way into it, whatever else is edited at the same time, also on old bases.
 * All but the few that say so are simulated: SEED=n repeats one exactly. LONG=1: many more seeds;
 * STORY=1: what everybody did.
 */
import { test } from 'uvu'
import { seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { MovingScene } from './moving-scene.ts'
import { LawService } from './service.ts'
import { onSimulated } from './simulated-engine.ts'

const seeds = seedsOf(1, process.env['LONG'] === undefined ? 3 : 400)
const atOnce = 8

/** One step of all scenes; a failure names its seed. */
async function all(
  scenes: readonly MovingScene[],
  step: (scene: MovingScene) => Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(scenes.map(step))
  const failures = results.flatMap((result, index) => {
    const scene = scenes[index]
    if (result.status === 'fulfilled' || scene === undefined) return []
    if (process.env['STORY']) console.log(scene.story)
    const { stack, details } = result.reason as { stack?: string; details?: string }
    return [`seed ${scene.seed} (repeat it with SEED=${scene.seed}): ${stack}\n${details ?? ''}`]
  })
  if (failures.length > 0) throw new Error(failures.join('\n\n'))
}

/** Plays scenes side by side on one service, with a restart between their acts. */
async function play(service: LawService, batch: readonly number[], tally: Tally): Promise<void> {
  const scenes = await Promise.all(batch.map((seed) => MovingScene.begin({ service, seed, tally })))
  try {
    await all(scenes, (scene) => scene.act())
    await service.restart()
    await all(scenes, (scene) => scene.act())
    await all(scenes, (scene) => scene.judge())
  } finally {
    for (const scene of scenes) scene.leave()
  }
}

test('law 3: a block that moves keeps its id, its authors and what is typed into it', async () => {
  const tally = new Tally()
  for (const seed of seeds) {
    await onSimulated({ seed }, (service) => play(service, [seed], tally))
  }
  const each = { move: 1, wrap: 1, convert: 1, type: 1, erase: 1, offline: 1, delete: 1 }
  tally.tell(`${seeds[0]}–${seeds.at(-1)} moving`, seeds.length === 1 ? {} : each)
})

test('law 3 over real sockets, on a real disk', async () => {
  process.setMaxListeners(0)
  const few = process.env['LONG'] === undefined ? seeds.slice(0, 2) : seeds
  const tally = new Tally()
  const service = await LawService.start()
  try {
    for (let at = 0; at < few.length; at += atOnce) {
      await play(service, few.slice(at, at + atOnce), tally)
    }
  } finally {
    await service.end()
  }
  tally.tell(`${few[0]}–${few.at(-1)} moving, real`, { move: 1, type: 1 })
})

test.run()
