/** Giving and taking access is somebody's: a browser without an account takes one first. */
import { ApiError } from '../api/http.ts'
import type { DocumentSession } from '../live/session.ts'

export async function asSomebody<T>(session: DocumentSession, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'IDENTIFY_REQUIRED') throw error
    await session.takeAccount()
    return act()
  }
}
