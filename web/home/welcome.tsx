/** What somebody sees who has opened nothing in this browser yet. */
import { askForAccount } from '../account/ask.ts'
import { under } from '../api/base.ts'
import { NewDocument } from './new-document.tsx'

export const Welcome = () => (
  <main className="home">
    <h1>Write together, people and agents</h1>
    <p className="home-lead">
      Markdown documents that people and AI agents write together, live. You type here; an agent
      edits the same text by link; everybody sees who wrote what.
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
    <p className="home-note">
      You need no account to write, or to open a link. What you make and open stands here from then
      on.
    </p>
    <ForAgents />
  </main>
)

export const ForAgents = () => (
  <p className="home-foot">
    For agents and scripts: <a href={under('/llms.txt')}>llms.txt</a> ·{' '}
    <a href={under('/reference')}>reference</a> · <a href={under('/openapi.json')}>OpenAPI</a>
  </p>
)
