/** The agents of one's account: registered here, with a secret that is told once, and deleted. */
import { useState } from 'react'
import { deleteAgent, listAgents, type OwnAgent, registerAgent } from '../../api/own-account.ts'
import { Field, FormProblem, HandleField, useForm } from '../form.tsx'
import { asHandle, suggestedHandle } from '../handles.ts'
import { handleProblem, nameProblem, type Problem } from '../problems.ts'
import { Confirm } from './confirm.tsx'
import { SecretOnce } from './secret-once.tsx'
import { ListedItem, LoadedList, Section, useLoaded } from './section.tsx'
import { Time } from './sessions.tsx'
import { Webhook } from './webhook.tsx'

/** So many are shown; who has more sees to them over REST. */
const shownMax = 1_000

async function allAgents(): Promise<readonly OwnAgent[]> {
  const agents: OwnAgent[] = []
  let cursor: string | undefined
  do {
    const page = await listAgents(cursor)
    agents.push(...page.agents)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && agents.length < shownMax)
  return agents
}

const kinds: Readonly<Record<string, string>> = { ephemeral: 'temporary', bot: 'bot' }

export function Agents() {
  const loaded = useLoaded(allAgents)
  const [made, setMade] = useState<{ readonly handle: string; readonly secret: string }>()
  return (
    <Section
      id="agents"
      title="Agents"
      lead="Agents read and write under their own names. Invite an agent to a document by its handle. You own the documents that your agents create."
    >
      <LoadedList loaded={loaded} label="Agents" empty="You have no agents.">
        {(agent) => (
          <ListedItem
            key={agent.agent_id}
            title={
              <>
                {agent.name}
                <span className="settings-handle">@{agent.handle}</span>
                {kinds[agent.kind] === undefined ? null : (
                  <span className="tag">{kinds[agent.kind]}</span>
                )}
              </>
            }
            more={
              <>
                <AgentTimes {...agent} />
                <Webhook agent={agent.agent_id} name={agent.name} />
              </>
            }
            action={agent.kind === 'bot' ? null : <Delete agent={agent} onDone={loaded.reload} />}
          />
        )}
      </LoadedList>
      {made === undefined ? (
        <Register
          onMade={(handle, secret) => {
            setMade({ handle, secret })
            loaded.reload()
          }}
        />
      ) : (
        <SecretOnce
          secret={made.secret}
          label={`Secret of @${made.handle}`}
          onDone={() => setMade(undefined)}
        >
          This is the password of @{made.handle}. The agent sends it as{' '}
          <code>Authorization: Bearer as_…</code>.
        </SecretOnce>
      )}
    </Section>
  )
}

const AgentTimes = ({ created_at, last_used_at }: OwnAgent) => (
  <>
    Registered <Time iso={created_at} /> ·{' '}
    {last_used_at === null ? (
      'never used'
    ) : (
      <>
        used <Time iso={last_used_at} />
      </>
    )}
  </>
)

interface DeleteProps {
  readonly agent: OwnAgent
  readonly onDone: () => void
}

const Delete = ({ agent: { agent_id, name, handle }, onDone }: DeleteProps) => (
  <Confirm
    button="Delete"
    label={`Delete ${name}`}
    title={`Delete ${name}?`}
    text={`The agent loses all access and its connections are closed. What it wrote keeps its name. The handle @${handle} becomes available again.`}
    action="Delete"
    act={async () => {
      await deleteAgent(agent_id)
      onDone()
    }}
  />
)

function Register({ onMade }: { readonly onMade: (handle: string, secret: string) => void }) {
  const [name, setName] = useState('')
  const [typedHandle, setHandle] = useState<string>()
  const handle = asHandle(typedHandle ?? suggestedHandle(name))
  const problems: Readonly<Record<string, Problem>> = {
    HANDLE_TAKEN: { field: 'handle', text: `@${handle} is taken. Try another handle.` },
  }
  const form = useForm({
    check: () => nameProblemOf(name) ?? handleProblem(handle),
    problems,
    async send() {
      const { handle: given, agent_secret } = await registerAgent({ name: name.trim(), handle })
      onMade(given, agent_secret)
    },
  })
  return (
    <form className="settings-add settings-add-two" {...form.attributes}>
      <Field
        name="name"
        label="Name"
        placeholder="Quill"
        autoComplete="off"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={form.problem}
      />
      <HandleField
        autoComplete="off"
        value={typedHandle ?? handle}
        onChange={(event) => setHandle(event.target.value)}
        problem={form.problem}
      />
      <button type="submit" className="button button-line" disabled={form.isBusy}>
        Register an agent
      </button>
      <FormProblem problem={form.problem} />
    </form>
  )
}

const nameProblemOf = (name: string): Problem | undefined =>
  nameProblem(name) && { field: 'name', text: 'Enter a name for the agent.' }
