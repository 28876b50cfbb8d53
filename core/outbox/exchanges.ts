/**
 * Which agents answer each other, in whatever documents and by whatever acts (extensions §13): one
 * that was told of what another did, and then does something itself, has answered. Two who did so
 * often are not told of each other's acts any more, until a person has spoken to one of them or
 * time has gone by. Bounded, and lost with the process: a loop then goes on for one more row.
 */
import { LRUCache } from 'lru-cache'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Unheard } from '../documents/contract.ts'

/** Of whom is known what they were told and did of late. */
const exchangingAgentsKept = 2_000

interface Heard {
  readonly id: number
  readonly actor: string
  readonly slug?: string
  /** It came to everybody in the document. */
  readonly isOfFeed: boolean
}

/** What an agent does, and whom that is told by name. */
interface Doing {
  readonly slug: Slug
  readonly to: ReadonlySet<string>
  readonly now: number
}

/** How often an agent has answered another; of these, where each called the other by name. */
interface Answers {
  readonly all: number
  readonly named: number
  readonly at: number
}

interface Agent {
  /** The last entry that it was shown. */
  upTo: number
  /** The agents of which it was told since it did something, and whether by name. */
  readonly heard: Map<string, boolean>
  /** Where people have spoken since then. */
  readonly asked: Map<string, true>
  isCalled: boolean
  readonly answers: Map<string, Answers>
}

const none: Answers = { all: 0, named: 0, at: 0 }

export class Exchanges {
  readonly #agents = new LRUCache<string, Agent>({ max: exchangingAgentsKept })

  /** Somebody is shown these entries of its inbox. */
  told(actor: ActorId, entries: readonly Heard[]): void {
    if (!isAgent(actor) || entries.length === 0) return
    const agent = this.#agentOf(actor)
    for (const { id, actor: by, slug, isOfFeed } of entries) {
      if (id <= agent.upTo) continue
      agent.upTo = id
      if (isAgent(by)) set(agent.heard, by, agent.heard.get(by) === true || !isOfFeed)
      else if (isOfFeed && slug !== undefined) set(agent.asked, slug, true)
      else agent.isCalled = true
    }
  }

  /** The agents that are not told of what an agent is about to do. */
  unheard(by: ActorId, { slug, now }: Omit<Doing, 'to'>): Unheard {
    const agent = this.#agents.get(by)
    if (agent === undefined || isAsked(agent, slug)) return { named: [], others: [] }
    const others = [...new Set([...agent.heard.keys(), ...agent.answers.keys()])] as ActorId[]
    const isOften = (other: ActorId, kind: 'named' | 'all') =>
      this.#between(by, other, now)[kind] >= limits.agentsDepthMax
    return {
      named: others.filter((other) => isOften(other, 'named')),
      others: others.filter((other) => isOften(other, 'all')),
    }
  }

  did(by: ActorId, { slug, to, now }: Doing): void {
    const agent = this.#agents.get(by)
    if (agent === undefined) return
    const isForPerson = isAsked(agent, slug)
    for (const [other, byName] of agent.heard) {
      if (isForPerson) {
        agent.answers.delete(other)
        this.#agents.get(other)?.answers.delete(by)
        continue
      }
      const { all, named } = latest(agent, other, now)
      const isNamed = byName && to.has(other)
      set(agent.answers, other, { all: all + 1, named: named + (isNamed ? 1 : 0), at: now })
    }
    agent.heard.clear()
    agent.asked.clear()
    agent.isCalled = false
  }

  #between(one: string, other: string, now: number): Pick<Answers, 'all' | 'named'> {
    const [to, fro] = [
      latest(this.#agents.get(one), other, now),
      latest(this.#agents.get(other), one, now),
    ]
    return { all: to.all + fro.all, named: to.named + fro.named }
  }

  #agentOf(actor: string): Agent {
    const known = this.#agents.get(actor)
    if (known !== undefined) return known
    const agent: Agent = {
      upTo: 0,
      heard: new Map(),
      asked: new Map(),
      isCalled: false,
      answers: new Map(),
    }
    this.#agents.set(actor, agent)
    return agent
  }
}

/** Of each list of an agent's, the latest. */
const keptPerAgent = 32

const isAgent = (actor: string): boolean => actor.startsWith('ai:')

/** A person called it, or spoke where it does something now. */
const isAsked = ({ isCalled, asked }: Agent, slug: Slug): boolean => isCalled || asked.has(slug)

function latest(agent: Agent | undefined, other: string, now: number): Answers {
  const answers = agent?.answers.get(other)
  return answers !== undefined && answers.at > now - limits.agentsAnswerMs ? answers : none
}

function set<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > keptPerAgent && oldest !== undefined) map.delete(oldest)
}
