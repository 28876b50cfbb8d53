/** A document as a row of home has it. */
import type { ListTab } from './home-lists.ts'

export interface ListEntry {
  readonly slug: string
  readonly title: string
  /** Milliseconds since the epoch: the last change, or of what is recent here the last visit. */
  readonly at: number
  /** When it was made, where that is known. */
  readonly createdAt?: number
  /** Who made that change, where that is known. */
  readonly by?: { readonly actor: string; readonly name: string }
  readonly role: string
  /** The list that it stands in. */
  readonly place: ListTab
}

export const shownTitle = ({ title }: Pick<ListEntry, 'title'>): string =>
  title === '' ? 'Untitled' : title
