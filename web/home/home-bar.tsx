/** The bar over home: the search, a new document, and who one is. */
import { Search, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { askForAccount } from '../account/ask.ts'
import type { Account } from '../api/account.ts'
import { under } from '../api/base.ts'
import { isComposing } from '../platform/composing.ts'
import { NewDocument } from './new-document.tsx'
import { PersonButton } from './person-button.tsx'
import { focusRow } from './row-keys.ts'

export interface HomeBarProps {
  /** `undefined`: nobody knows yet. */
  readonly account: Account | 'nobody' | undefined
  /** `undefined`: there is nothing to search. */
  readonly query: string | undefined
  readonly onQuery: (query: string) => void
}

export function HomeBar({ account, query, onQuery }: HomeBarProps) {
  return (
    <header className="bar home-bar">
      <a className="wordmark" href={under('/')} aria-label="Scriptorium, home">
        <img src={under('/icon.svg')} alt="" width="20" height="20" />
        <span>Scriptorium</span>
      </a>
      {query === undefined ? (
        <span className="bar-space" />
      ) : (
        <>
          <SearchField query={query} onQuery={onQuery} />
          <NewDocument />
        </>
      )}
      {account === 'nobody' ? (
        <button
          type="button"
          className="button button-line"
          onClick={() => askForAccount('sign-in')}
        >
          Sign in
        </button>
      ) : account === undefined ? (
        <span className="picture picture-unknown" aria-hidden />
      ) : (
        <PersonButton account={account} />
      )}
    </header>
  )
}

interface SearchFieldProps {
  readonly query: string
  readonly onQuery: (query: string) => void
}

function SearchField({ query, onQuery }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event)
      const isFind = event.key === 'k' && (event.ctrlKey || event.metaKey)
      if (!(isSlash || isFind) || document.querySelector('[role="dialog"]') !== null) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const clear = () => {
    onQuery('')
    field.current?.focus()
  }
  return (
    <search className="home-search">
      <Search aria-hidden />
      <input
        ref={field}
        type="search"
        className="field"
        aria-label="Search by title"
        placeholder="Search by title"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            focusRow(0)
          } else if (event.key === 'Enter' && query !== '') {
            document.querySelector<HTMLAnchorElement>('a.row-link')?.click()
          } else if (event.key === 'Escape') {
            if (query === '') field.current?.blur()
            else clear()
          }
        }}
      />
      {query === '' ? (
        <kbd className="kbd" aria-hidden>
          /
        </kbd>
      ) : (
        <button
          type="button"
          className="button button-icon"
          aria-label="Clear the search"
          onClick={clear}
        >
          <X aria-hidden />
        </button>
      )}
    </search>
  )
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, [contenteditable="true"]')
