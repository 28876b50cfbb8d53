/** The store as a document host uses it. */
import type { Commit, CommitResult, Store } from '../../../persistence/store.ts'
import type { Told } from './messages.ts'

export interface HostStore extends Store {
  /** `shown` is told once the commit is durable, before this resolves; never otherwise. */
  commit(commit: Commit, shown?: readonly Told[]): Promise<CommitResult>
}
