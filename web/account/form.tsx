/**
 * Forms of the account: what is wrong stands beside its field, which then has the focus, and goes
 * when one types. Enter sends; a form that is under way is not sent twice.
 */
import { Eye, EyeOff } from 'lucide-react'
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react'
import type { Account, SignInWays } from '../api/account.ts'
import { ProblemLine } from '../platform/problem-line.tsx'
import type { AccountMode } from './ask.ts'
import { type FieldName, type Problem, passwordMinChars, problemOf } from './problems.ts'

/** Of the forms to sign in and to sign up. */
export interface FormProps {
  readonly guest: Account | undefined
  readonly ways: SignInWays | undefined
  readonly ready: () => Promise<void>
  readonly onDone: (account: Account) => void
  readonly onSwitch: (mode: AccountMode) => void
}

export interface FormOptions {
  /** What can be seen to be wrong without asking. */
  readonly check?: () => Problem | undefined
  readonly send: () => Promise<void>
  /** What a code of the service means here. */
  readonly problems?: Readonly<Record<string, Problem>>
}

export interface Form {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
  /** For the `<form>`. */
  readonly attributes: {
    readonly ref: RefObject<HTMLFormElement | null>
    readonly noValidate: true
    readonly onSubmit: (event: FormEvent) => void
    readonly onInput: () => void
  }
}

export function useForm({ check, send, problems }: FormOptions): Form {
  const ref = useRef<HTMLFormElement>(null)
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const say = (found: Problem | undefined) => {
    setProblem(found)
    const field = found?.field && ref.current?.elements.namedItem(found.field)
    if (!(field instanceof HTMLInputElement)) return
    field.focus()
    field.select()
  }
  const submit = async () => {
    const found = check?.()
    if (found !== undefined) return say(found)
    isSending.current = true
    setBusy(true)
    say(undefined)
    try {
      await send()
    } catch (error) {
      say(problemOf(error, problems))
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSending.current) void submit()
  }
  const onInput = () => setProblem(undefined)
  return { isBusy, problem, attributes: { ref, noValidate: true, onSubmit, onInput } }
}

export interface FieldProps extends Omit<ComponentProps<'input'>, 'name'> {
  readonly name: FieldName
  readonly label: string
  /** What helps before anything is wrong. */
  readonly hint?: string | undefined
  readonly problem: Problem | undefined
}

export function Field({ label, hint, problem, children, ...input }: FieldProps) {
  const id = useId()
  const wrong = problem?.field === input.name ? problem.text : undefined
  const said = wrong ?? hint
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      <div className="form-input">
        <input
          {...input}
          id={id}
          className="field"
          aria-invalid={wrong !== undefined || undefined}
          aria-describedby={said === undefined ? undefined : `${id}-said`}
        />
        {children}
      </div>
      {said === undefined ? null : (
        <p
          id={`${id}-said`}
          className={wrong === undefined ? 'form-hint' : 'form-hint problem'}
          role={wrong === undefined ? undefined : 'alert'}
        >
          {said}
        </p>
      )}
    </div>
  )
}

/** With a button that shows what was typed. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'children'>) {
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    >
      <button
        type="button"
        className="button button-icon form-show"
        aria-label="Show password"
        aria-pressed={isShown}
        title={isShown ? 'Hide password' : 'Show password'}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </button>
    </Field>
  )
}

export const HandleField = (props: Omit<FieldProps, 'name' | 'label'>) => (
  <Field
    name="handle"
    label="Handle"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    maxLength={39}
    {...props}
  />
)

type NewPasswordProps = Pick<FieldProps, 'value' | 'onChange' | 'problem' | 'ref'> & {
  readonly label?: string
}

export const NewPasswordField = ({ label = 'New password', ...props }: NewPasswordProps) => (
  <PasswordField
    {...props}
    name="password"
    label={label}
    autoComplete="new-password"
    hint={`At least ${passwordMinChars} characters.`}
  />
)

/** What is wrong with none of the fields. */
export const FormProblem = ({ problem }: { readonly problem: Problem | undefined }) => (
  <ProblemLine
    className="form-problem"
    text={problem?.field === undefined ? problem?.text : undefined}
  />
)

export interface FormActionsProps {
  readonly form: Form
  /** The button that closes the dialog around the form. */
  readonly cancel: ReactNode
  readonly look: 'primary' | 'destroy'
  readonly action: string
  /** What the button says while the form is under way. */
  readonly doing: string
}

/** The end of a form in a dialog: what is wrong with none of its fields, and its buttons. */
export const FormActions = ({ form, cancel, look, action, doing }: FormActionsProps) => (
  <>
    <FormProblem problem={form.problem} />
    <div className="dialog-actions">
      {cancel}
      <button type="submit" className={`button button-${look}`} disabled={form.isBusy}>
        {form.isBusy ? doing : action}
      </button>
    </div>
  </>
)
