/** The bar of find and replace, under the top bar. Loaded when it is first opened. */
import { ArrowDown, ArrowUp, CaseSensitive, WholeWord, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useState } from 'react'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { isComposing } from '../platform/composing.ts'
import { IconButton } from '../platform/icon-button.tsx'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { FindField, type FindFieldProps } from './find-field.tsx'
import { Finder, replacedMax } from './finder.ts'

export interface FindBarProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly field: FindFieldProps
  readonly replaces: boolean
  readonly onClose: () => void
}

export function FindBar(props: FindBarProps) {
  const { session, editor } = props
  const { view } = editor
  const [finder, setFinder] = useState<Finder>()
  useLayoutEffect(() => {
    const made = new Finder(view, () => session.account.get()?.actor_id)
    setFinder(made)
    return () => made.close()
  }, [session, view])
  return finder === undefined ? null : <Bar {...props} finder={finder} />
}

function Bar({ editor, field, replaces, onClose, finder }: FindBarProps & { finder: Finder }) {
  const { isEditable } = useStore(editor.slice)
  const { text } = field
  const [matchesCase, setMatchesCase] = useState(false)
  const [wholeWords, setWholeWords] = useState(false)
  const [by, setBy] = useState('')
  useEffect(() => {
    finder.look({ text, matchesCase, wholeWords })
  }, [finder, text, matchesCase, wholeWords])
  const onFindKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event)) return
    event.preventDefault()
    finder.step(event.shiftKey ? -1 : 1)
  }
  const all = () => {
    const count = finder.replaceAll(by)
    if (count === undefined)
      notify(
        `You can replace up to ${replacedMax} matches at a time. Narrow the search.`,
        'problem',
      )
    else notify(count === 1 ? 'Replaced 1 match.' : `Replaced ${count} matches.`)
  }
  const onReplaceKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event)) return
    event.preventDefault()
    if (event.metaKey || event.ctrlKey) all()
    else finder.replace(by)
  }
  return (
    <>
      <div className="find-row">
        <FindField {...field} onKeyDown={onFindKey} />
        <Count finder={finder} isAsked={text !== ''} />
        <Toggle label="Match case" isOn={matchesCase} onToggle={setMatchesCase}>
          <CaseSensitive aria-hidden />
        </Toggle>
        <Toggle label="Whole words" isOn={wholeWords} onToggle={setWholeWords}>
          <WholeWord aria-hidden />
        </Toggle>
        <IconButton label="Previous match" icon={ArrowUp} onClick={() => finder.step(-1)} />
        <IconButton label="Next match" icon={ArrowDown} onClick={() => finder.step(1)} />
      </div>
      {replaces && isEditable ? (
        <div className="find-row">
          <input
            className="field find-field"
            type="text"
            aria-label="Replace with"
            placeholder="Replace with"
            autoComplete="off"
            value={by}
            onChange={(event) => setBy(event.currentTarget.value)}
            onKeyDown={onReplaceKey}
          />
          <button type="button" className="button button-line" onClick={() => finder.replace(by)}>
            Replace
          </button>
          <button type="button" className="button button-line" onClick={all}>
            All
          </button>
        </div>
      ) : null}
      <div className="find-close">
        <IconButton label="Close" icon={X} onClick={onClose} />
      </div>
    </>
  )
}

function Count({ finder, isAsked }: { readonly finder: Finder; readonly isAsked: boolean }) {
  const { count, current } = useStore(finder.found)
  const said =
    count === 0 ? 'No results' : current === undefined ? `${count}` : `${current} of ${count}`
  return (
    <span className="find-count" role="status">
      {isAsked ? said : ''}
    </span>
  )
}

interface ToggleProps {
  readonly label: string
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
  readonly children: React.ReactNode
}

function Toggle({ label, isOn, onToggle, children }: ToggleProps) {
  return (
    <button
      type="button"
      className="button button-icon"
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      onClick={() => onToggle(!isOn)}
    >
      {children}
    </button>
  )
}
