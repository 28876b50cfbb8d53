/** Why something did not work, and what to do; a place has its own words for what it does. */
import { ApiError } from './http.ts'

/** Its message is for people. */
export class Trouble extends Error {}

/** `messages`: what a code means at this place. Ends in a full stop. */
export function troubleWords(
  error: unknown,
  messages: Readonly<Record<string, string>> = {},
): string {
  if (error instanceof Trouble) return error.message
  if (!(error instanceof ApiError)) return 'Something went wrong. Try again.'
  const { code, message, retryAfterS } = error
  if (isOfSetting(error)) return message
  const here = messages[code]
  if (here !== undefined) return here
  switch (code) {
    case 'OFFLINE':
      return 'Could not reach the server. Check your connection and try again.'
    case 'RATE_LIMITED':
      return `Too many requests. Try again in ${inWords(retryAfterS ?? 60)}.`
    case 'BUSY':
    case 'UNAVAILABLE':
      return `The server is busy. Try again in ${inWords(retryAfterS ?? 1)}.`
    case 'AUTH_REQUIRED':
    case 'IDENTIFY_REQUIRED':
      return 'You were signed out. Reload the page and try again.'
    case 'INVALID_JSON':
    case 'UNEXPECTED_FIELD':
      return unreadWords
    default:
      if (error.body['issues'] !== undefined) return unreadWords
      return /[.!?]$/.test(message) ? message : `${message}.`
  }
}

/** The page and the service disagree on the form of a request: mostly the page is an old one. */
const unreadWords = 'The server could not read this request. Reload the page and try again.'

/** Nothing that a person may or may not do: the service is set up for another address. */
export const isOfSetting = ({ body }: ApiError): boolean => body['setting'] !== undefined

/** How long that is, said roughly. */
export function inWords(seconds: number): string {
  if (seconds < 2) return 'a second'
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
