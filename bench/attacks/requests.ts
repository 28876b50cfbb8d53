/**
 * Floods of requests: markdown that costs more to read than to send, as new documents and as dry
 * runs of an edit; and passwords.
 */
import type { Attack, Facts } from './order.ts'
import type { Answered, Outlet, Post } from './outlet.ts'
import { markdownOf } from './texts.ts'

export function floodCreates(outlet: Outlet, attack: Attack): Promise<Facts> {
  const bodies = (attack.bodies ?? []).map((text) => ({ markdown: markdownOf(text) }))
  return inParallel(outlet, attack.many, (turn) => {
    const body = bodies[turn % bodies.length]
    return turn < Math.max(attack.many, bodies.length)
      ? { method: 'POST', path: '/docs', body }
      : undefined
  })
}

/** Each on the revision that there is, so that it is the text that is judged. */
export async function floodDryRuns(outlet: Outlet, attack: Attack): Promise<Facts> {
  const { target, bodies = [], many } = attack
  const [token = ''] = target.tokens
  const path = `/docs/${target.slug}`
  const read = await outlet.call({ method: 'GET', path, token })
  return inParallel(outlet, many, (turn) => {
    const text = bodies[turn]
    if (text === undefined) return undefined
    const body = { base_revision: read.json['revision'], replace_document: markdownOf(text) }
    return { method: 'PATCH', path: `${path}?dryRun=true`, token, body }
  })
}

/** Half of them by a handle that there is. */
export function floodSignIns(outlet: Outlet, { many }: Attack): Promise<Facts> {
  return inParallel(outlet, many, (turn) => {
    if (turn >= many) return undefined
    const handle = turn % 2 === 0 ? 'somebody' : `nobody-${turn}`
    const body = { handle, password: `a guess, the ${turn}th` }
    return { method: 'POST', path: '/auth/login', body }
  })
}

/** `many` at once, until there is no next. */
async function inParallel(
  outlet: Outlet,
  many: number,
  next: (turn: number) => Post | undefined,
): Promise<Facts> {
  const answers: Answered[] = []
  let turn = 0
  const line = async () => {
    for (let post = next(turn++); post !== undefined; post = next(turn++)) {
      answers.push(await outlet.call(post))
    }
  }
  await Promise.all(Array.from({ length: many }, line))
  const facts: Record<string, number> = {}
  for (const { status, ms } of answers) {
    facts[`status ${status}`] = (facts[`status ${status}`] ?? 0) + 1
    facts['longest ms'] = Math.max(facts['longest ms'] ?? 0, ms)
  }
  return facts
}
