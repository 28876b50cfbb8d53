/** What a crowd of honest people is told to do, and what became of their words. */
export interface OverloadOrder {
  readonly kind: 'crowd' | 'top' | 'front-live' | 'front-offline' | 'replace' | 'pastes' | 'merges'
  readonly port: number
  readonly slug: string
  readonly people: readonly { readonly token: string; readonly actor: string }[]
  readonly seconds: number
}

export interface OverloadResult {
  readonly closes: readonly string[]
  readonly closedForGood: number
  /** Letters, or paragraphs, or places. */
  readonly written: number
  readonly missing: number
  /** From the last key until the service's text had all; NaN: never. */
  readonly secondsUntilThere: number
}
