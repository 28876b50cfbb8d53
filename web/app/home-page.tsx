/** The first page: what this is, a new document in one click, and what was open here before. */
import { FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import { openNewDocument } from './new-document.ts'
import { type RecentDocument, recentDocuments } from './recent-documents.ts'

export function HomePage() {
  const recent = recentDocuments()
  return (
    <main className="home">
      <h1>Scriptorium</h1>
      <p className="home-lead">
        Markdown documents that people and AI agents write together, live. You type here; an agent
        edits the same text by link; everybody sees who wrote what.
      </p>
      <NewDocument />
      {recent.length === 0 ? null : <Recent documents={recent} />}
      <p className="home-foot">
        For agents and scripts: <a href="/llms.txt">llms.txt</a> ·{' '}
        <a href="/reference">reference</a> · <a href="/openapi.json">OpenAPI</a>
      </p>
    </main>
  )
}

function NewDocument() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const create = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await openNewDocument()
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <p className="home-actions">
      <button
        type="button"
        className="button button-primary button-large"
        disabled={isBusy}
        onClick={create}
      >
        <Plus aria-hidden />
        New document
      </button>
      {problem === undefined ? null : (
        <span role="alert" className="problem">
          {problem}
        </span>
      )}
    </p>
  )
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

function Recent({ documents }: { readonly documents: readonly RecentDocument[] }) {
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">Opened on this device</h2>
      <ul className="recent">
        {documents.map(({ slug, title, at }) => (
          <li key={slug}>
            <a href={`/d/${slug}`}>
              <FileText aria-hidden />
              <span className="recent-title">{title === '' ? 'Untitled' : title}</span>
              <time dateTime={new Date(at).toISOString()}>{dayFormat.format(at)}</time>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
