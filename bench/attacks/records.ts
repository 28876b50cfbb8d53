/**
 * What leaves records behind: blocks that come and go, all of them each time (tombstones, history,
 * redirects), and small edits, each under an idempotency key of its own.
 */
import type { Attack, Facts } from './order.ts'
import type { Answered, Outlet } from './outlet.ts'

const blocksEachTime = 200

export async function floodRecords(outlet: Outlet, attack: Attack): Promise<Facts> {
  const { target, many, seconds } = attack
  const path = `/docs/${target.slug}`
  const until = performance.now() + seconds * 1000
  const statuses: Record<string, number> = {}
  let calls = 0
  const call = async (line: number, body?: object): Promise<Answered> => {
    const [token = ''] = target.tokens.slice(line % target.tokens.length)
    const method = body === undefined ? 'GET' : 'PATCH'
    const idempotencyKey = `${process.pid}-${until}-${calls++}`
    const answer = await outlet.call({ method, path, token, body, idempotencyKey })
    const status = `status ${answer.status}`
    statuses[status] = (statuses[status] ?? 0) + 1
    return answer
  }
  const replace = async () => {
    for (let turn = 0; performance.now() < until; turn++) {
      const base_revision = (await call(0)).json['revision']
      await call(0, { base_revision, replace_document: textOf(turn, many) })
    }
  }
  const nudge = async (line: number) => {
    for (let turn = 0; performance.now() < until; turn++) {
      const [old_string, new_string] = turn % 2 === 0 ? words(line) : words(line).toReversed()
      await call(line, { edits: [{ old_string, new_string }] })
    }
  }
  await Promise.all([replace(), ...Array.from({ length: many }, (_, line) => nudge(line))])
  return statuses
}

const words = (line: number): string[] => [`Line ${line} ebbs.`, `Line ${line} flows.`]

const textOf = (turn: number, lines: number): string => {
  const kept = Array.from({ length: lines }, (_, line) => words(line)[0])
  const gone = Array.from({ length: blocksEachTime }, (_, at) => `Wave ${turn} brings ${at}.`)
  return `${[...kept, ...gone].join('\n\n')}\n`
}
