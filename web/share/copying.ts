/**
 * What is copied to let others in: a link, or a prompt with a link for an agent. What the link is
 * good for is said with it.
 */

import { Trouble } from '../api/trouble.ts'
import { copyText } from '../platform/clipboard.ts'
import { notify } from '../platform/notices.ts'
import { problemOf } from './words.ts'

/** Copies what may still be on its way, within the click that asked for it, and says so. */
export async function copyWith(
  text: string | Promise<string>,
  done: string | (() => Promise<string>),
): Promise<void> {
  const copied = copyText(text).catch(() => Promise.reject(new Trouble(noCopy)))
  try {
    // What went wrong on the way is told before what the clipboard makes of it.
    await Promise.all([text, copied])
    notify(typeof done === 'string' ? done : await done())
  } catch (error) {
    notify(problemOf(error), 'problem')
  }
}

const noCopy = 'Your browser blocked copying.'
