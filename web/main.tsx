/** The start of a document's page. */
import './style/index.css'
import { createRoot } from 'react-dom/client'
import { pathHere } from './api/base.ts'
import { DocumentPage } from './app/document-page.tsx'

const [, slug] = /^\/d\/([^/]+)\/?$/.exec(pathHere()) ?? []
const root = document.getElementById('root')
if (root === null || slug === undefined) throw new TypeError('the page has no root or no document')
createRoot(root).render(<DocumentPage slug={slug} />)
