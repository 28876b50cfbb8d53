/** What stands where a document cannot be shown, and what to do about it. */
import type { SaveState } from '../live/session.ts'
import { cameByBadLink } from './bad-link.ts'
import { forgetDocument } from './recent-documents.ts'

type Because = Extract<SaveState, { kind: 'ended' }>['because']

const told: Readonly<Record<Because, { readonly title: string; readonly text: string }>> = {
  archived: {
    title: 'This document was archived',
    text: 'Its text is kept. Somebody who may edit it can restore it within 30 days.',
  },
  deleted: {
    title: 'There is no such document',
    text: 'It may have been deleted, or the address is not complete.',
  },
  'no-access': {
    title: 'You need a link to open this document',
    text: 'Ask somebody who has it for a link: “Copy link”, at the top right of the document.',
  },
  reload: {
    title: 'This page is out of date',
    text: 'The service has moved on. Reload the page to go on writing.',
  },
}

const badLink = {
  title: 'This link is not good any more',
  text: 'It may have been ended, or not copied whole. Ask somebody who has the document for a new one: “Copy link”, at the top right of it.',
}

/** What an address of the form `/s/…` shows when it leads nowhere. */
export function DeadLink() {
  return (
    <main className="home">
      <h1>{badLink.title}</h1>
      <p>{badLink.text}</p>
      <p className="home-actions">
        <a className="button button-primary" href="/">
          All documents
        </a>
      </p>
    </main>
  )
}

export function Unavailable({
  slug,
  because,
}: {
  readonly slug: string
  readonly because: Because
}) {
  const { title, text } = because === 'no-access' && cameByBadLink ? badLink : told[because]
  return (
    <main className="home">
      <h1>{title}</h1>
      <p>{text}</p>
      <p className="home-actions">
        {because === 'reload' ? (
          <button type="button" className="button button-primary" onClick={() => location.reload()}>
            Reload
          </button>
        ) : (
          <a
            className="button button-primary"
            href="/"
            onClick={() => because === 'deleted' && forgetDocument(slug)}
          >
            All documents
          </a>
        )}
      </p>
    </main>
  )
}
