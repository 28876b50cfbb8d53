/** What went wrong, read out at once. Nothing where nothing did. */
export interface ProblemLineProps {
  readonly id?: string | undefined
  readonly className?: string
  readonly text: string | undefined
}

export const ProblemLine = ({ id, className, text }: ProblemLineProps) =>
  text === undefined ? null : (
    <p
      className={className === undefined ? 'problem' : `problem ${className}`}
      role="alert"
      id={id}
    >
      {text}
    </p>
  )
