/** What somebody sees who has opened nothing in this browser yet. */
import { askForAccount } from '../account/ask.ts'
import { under } from '../api/base.ts'
import { NewDocument } from './new-document.tsx'

export const Welcome = () => (
  <main className="home">
    <h1>Write together, people and agents</h1>
    <p className="home-lead">
      Write Markdown documents together with people and AI agents, live. You type here, agents edit
      the same text over an API, and everyone sees who wrote what.
    </p>
    <p className="home-actions">
      <NewDocument isLarge />
      <button
        type="button"
        className="button button-line button-large"
        onClick={() => askForAccount('sign-up')}
      >
        Create an account
      </button>
    </p>
    <p className="home-note">No account required. Documents that you create or open appear here.</p>
    <ForAgents />
  </main>
)

export const ForAgents = () => (
  <p className="home-foot">
    For agents and scripts: <a href={under('/llms.txt')}>llms.txt</a> ·{' '}
    <a href={under('/reference')}>reference</a> · <a href={under('/openapi.json')}>OpenAPI</a>
  </p>
)
