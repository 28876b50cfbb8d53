/** The form that writes a link or an image: an address, and the words that stand for it. */
import type { EditorView } from 'prosemirror-view'
import {
  type FormEvent,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { insertImage } from '../editor/commands/insert.ts'
import {
  addressFrom,
  isAddress,
  isText,
  removeLinkAt,
  setLinkAt,
} from '../editor/commands/links.ts'
import { isComposing } from '../platform/composing.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { Float } from './float.tsx'
import type { LinkCard, LinkTools } from './link-card.ts'
import { perform } from './perform.ts'
import { textAnchor } from './text-anchor.ts'

const chooseImages = laterPart(
  async () => (await import('../uploads/choose-images.tsx')).ChooseImages,
)

export type FormCard = Exclude<LinkCard, { kind: 'preview' }>

interface LinkFormProps {
  readonly view: EditorView
  readonly links: LinkTools
  readonly card: FormCard
}

/** What the form begins with: the address of the link, or one that is selected or was copied. */
function useAddress(card: FormCard, text: string, field: RefObject<HTMLInputElement | null>) {
  const [address, setAddress] = useState(() => {
    if (card.kind === 'form' && card.href !== '') return card.href
    return isAddress(text) ? text.trim() : ''
  })
  const [copied, setCopied] = useState<string>()
  const beganEmpty = useRef(address === '').current
  useEffect(() => {
    if (!beganEmpty) return undefined
    let isLate = false
    void copiedAddress().then((found) => {
      if (isLate || found === undefined) return
      setAddress((typed) => typed || found)
      setCopied(found)
    })
    return () => {
      isLate = true
    }
  }, [beganEmpty])
  // What was copied may not be what is wanted: the first letter that is typed takes its place.
  useLayoutEffect(() => {
    if (copied !== undefined && field.current?.value === copied) field.current.select()
  }, [copied, field])
  return [address, setAddress] as const
}

/** The address on the clipboard, where the browser lets us look without asking. */
async function copiedAddress(): Promise<string | undefined> {
  try {
    const name = 'clipboard-read' as PermissionName
    const { state } = await navigator.permissions.query({ name })
    if (state !== 'granted') return undefined
    const text = await navigator.clipboard.readText()
    return isAddress(text) ? text.trim() : undefined
  } catch {
    return undefined
  }
}

export function LinkForm({ view, links, card }: LinkFormProps) {
  const { from, to, kind } = card
  const isLink = kind === 'form'
  const { doc } = view.state
  const anchor = useMemo(() => textAnchor(view, from, to), [view, from, to])
  const written = useRef(doc.textBetween(from, to, ' ')).current
  const field = useRef<HTMLInputElement>(null)
  const [address, setAddress] = useAddress(card, written, field)
  const [text, setText] = useState(written)
  const [isRefused, setRefused] = useState(false)
  const isWordable = !isLink || isText(doc.resolve(from), doc.resolve(to))
  const save = (event: FormEvent) => {
    event.preventDefault()
    const href = addressFrom(address)
    setRefused(href === undefined)
    if (href === undefined) return field.current?.focus()
    links.close(view)
    if (!isLink) return perform(view, insertImage({ src: href, alt: text }))
    const changed = isWordable && text !== written ? text : undefined
    perform(view, setLinkAt({ from, to }, { href, text: changed }))
  }
  const remove = () => {
    links.close(view)
    perform(view, removeLinkAt({ from, to }))
  }
  const problem = isLink
    ? 'This address cannot be used as a link.'
    : 'Enter the address of the image.'
  return (
    <Float anchor={anchor} className="link-form">
      <form
        aria-label={isLink ? 'Link' : 'Image'}
        onSubmit={save}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event)) links.close(view)
        }}
      >
        {isLink ? null : (
          <Later part={chooseImages} props={{ view, onChosen: () => links.close(view) }} />
        )}
        <AddressField
          ref={field}
          value={address}
          change={setAddress}
          problem={isRefused ? problem : undefined}
        />
        {isWordable ? <WordsField isLink={isLink} value={text} change={setText} /> : null}
        <div className="form-actions">
          {isLink && card.href !== '' ? (
            <button type="button" className="button" onClick={remove}>
              Remove
            </button>
          ) : null}
          <span className="bar-space" />
          <button type="button" className="button" onClick={() => links.close(view)}>
            Cancel
          </button>
          <button type="submit" className="button button-primary">
            {isLink ? 'Link' : 'Insert'}
          </button>
        </div>
      </form>
    </Float>
  )
}

interface FieldProps {
  readonly value: string
  readonly change: (value: string) => void
}

interface AddressFieldProps extends FieldProps {
  readonly ref: Ref<HTMLInputElement>
  readonly problem: string | undefined
}

function AddressField({ ref, value, change, problem }: AddressFieldProps) {
  const id = useId()
  return (
    <>
      <label>
        <span>Address</span>
        <input
          ref={ref}
          className="field"
          // biome-ignore lint/a11y/noAutofocus: a key opened this form to type an address
          autoFocus
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : id}
          onFocus={(event) => event.target.select()}
          onChange={(event) => change(event.target.value)}
        />
      </label>
      {problem === undefined ? null : (
        <p id={id} role="alert" className="field-problem">
          {problem}
        </p>
      )}
    </>
  )
}

function WordsField({ isLink, value, change }: FieldProps & { readonly isLink: boolean }) {
  return (
    <label>
      <span>{isLink ? 'Text' : 'Description'}</span>
      <input
        className="field"
        autoComplete="off"
        value={value}
        placeholder={isLink ? 'Same as the address' : 'For screen readers'}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
}
