/**
 * The language of the code block that a person is at, on its corner, and the box to change it. What
 * was picked last comes first.
 */
import { ChevronDown } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { Popover } from 'radix-ui'
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { languageOf, setLanguage } from '../editor/commands/code.ts'
import { isComposing } from '../platform/composing.ts'
import { useStore } from '../platform/store.ts'
import { recentLanguages, rememberLanguage } from '../platform/this-browser.ts'
import { backToText } from '../platform/writers-place.ts'
import { type Language, languageLabel, languagesFor } from './languages.ts'
import { perform } from './perform.ts'
import { usePortalContainer } from './portal-container.ts'
import type { Tools } from './tools.ts'
import { useSpot } from './use-spot.ts'

interface LanguagePickerProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function LanguagePicker({ view, tools }: LanguagePickerProps) {
  const { code, params, isPicking } = useStore(tools.active.state)
  if (code === undefined) return null
  const language = languageOf(params)
  return <Picker view={view} tools={tools} code={code} language={language} isPicking={isPicking} />
}

interface PickerProps extends LanguagePickerProps {
  readonly code: HTMLElement
  readonly language: string
  readonly isPicking: boolean
}

function Picker({ view, tools, code, language, isPicking }: PickerProps) {
  const container = usePortalContainer()
  const button = useRef<HTMLButtonElement>(null)
  const find = useCallback(
    (own: HTMLElement) => {
      const { right, top } = code.getBoundingClientRect()
      return { left: right - own.offsetWidth - 6, top: top + 3 }
    },
    [code],
  )
  useSpot(button, { anchor: code, find })
  useEffect(() => tools.actions.handle('toolbar', () => button.current?.focus()), [tools])
  const choose = (name: string) => {
    tools.active.pick(false)
    rememberLanguage(name)
    const $inside = view.state.doc.resolve(view.posAtDOM(code.querySelector('code') ?? code, 0))
    perform(view, setLanguage($inside.before(), name))
  }
  return (
    <Popover.Root open={isPicking} onOpenChange={tools.active.pick}>
      <Popover.Trigger
        ref={button}
        className="language-button"
        aria-label={`Language: ${languageLabel(language)}`}
        onKeyDown={(event) => {
          if (event.key === 'Escape') view.focus()
        }}
      >
        {languageLabel(language)}
        <ChevronDown aria-hidden />
      </Popover.Trigger>
      <Popover.Portal container={container}>
        <Popover.Content
          className="menu float language-menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Language"
          onCloseAutoFocus={backToText(view)}
        >
          <LanguageBox current={language} choose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface LanguageBoxProps {
  readonly current: string
  readonly choose: (name: string) => void
}

function LanguageBox({ current, choose }: LanguageBoxProps) {
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [recent] = useState(recentLanguages)
  const found = languagesFor(typed, recent)
  const go = (to: number) => {
    const next = (to + found.length) % Math.max(1, found.length)
    setMarked(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(marked + 1),
    ArrowUp: () => go(marked - 1),
    Enter: () => {
      const language = found[marked]
      if (language !== undefined) choose(language.name)
    },
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const answer = keys[event.key]
    if (answer === undefined || isComposing(event)) return
    event.preventDefault()
    answer()
  }
  return (
    <>
      <input
        className="field"
        role="combobox"
        aria-label="Language"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${marked}`}
        placeholder="Language"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setMarked(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="language-list" role="listbox" id={id} aria-label="Languages" ref={list}>
        {found.map((language, index) => (
          <Option
            key={language.name}
            id={`${id}-${index}`}
            language={language}
            isMarked={index === marked}
            isCurrent={languageLabel(current) === language.label}
            choose={choose}
          />
        ))}
      </div>
    </>
  )
}

interface OptionProps {
  readonly id: string
  readonly language: Language
  readonly isMarked: boolean
  readonly isCurrent: boolean
  readonly choose: (name: string) => void
}

function Option({ id, language, isMarked, isCurrent, choose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are answered in the field
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={id}
      role="option"
      aria-selected={isMarked}
      className="menu-item"
      onClick={() => choose(language.name)}
    >
      {language.label}
      {isCurrent ? <span className="menu-check">✓</span> : null}
    </div>
  )
}
