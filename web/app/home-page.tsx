/** The first page: what this is, and a new document in one click. */
import { useState } from 'react'
import { createDocument } from '../api/documents.ts'

export function HomePage() {
  const [problem, setProblem] = useState<string>()
  const create = async () => {
    try {
      const { share_url } = await createDocument('')
      location.assign(share_url)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <main className="home">
      <h1>Scriptorium</h1>
      <button type="button" className="button button-primary" onClick={create}>
        New document
      </button>
      {problem === undefined ? null : <p role="alert">{problem}</p>}
    </main>
  )
}
