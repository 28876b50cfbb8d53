/** The page's start: which of its faces this address has. */
import './style/index.css'
import { createRoot } from 'react-dom/client'
import { DocumentPage } from './app/document-page.tsx'
import { HomePage } from './app/home-page.tsx'
import { DeadLink } from './app/unavailable.tsx'

const [, slug] = /^\/d\/([^/]+)\/?$/.exec(location.pathname) ?? []
const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no root')
const elsewhere = location.pathname.startsWith('/s/') ? <DeadLink /> : <HomePage />
createRoot(root).render(slug === undefined ? elsewhere : <DocumentPage slug={slug} />)
