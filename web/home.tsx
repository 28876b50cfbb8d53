/** The start of all pages but a document's: without the editor, so that they are there at once. */
import './style/index.css'
import { createRoot } from 'react-dom/client'
import { HomePage } from './app/home-page.tsx'
import { DeadLink } from './app/unavailable.tsx'

const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no root')
createRoot(root).render(location.pathname.startsWith('/s/') ? <DeadLink /> : <HomePage />)
