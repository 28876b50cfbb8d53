/** How people get into an account (extensions §3): by a password, or by an operator's help. */
import { requirePassword } from '../../core/accounts/passwords.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import { Refusal } from '../../schema/errors.ts'
import { json } from '../answers/answer.ts'
import { route } from '../route.ts'
import { counted, countPasswordTry, presentOf, signedInAnswer } from './account-answers.ts'

const open = { access: 'optional', extension: true } as const

export const signUp = route(
  'POST /auth/signup',
  {
    ...open,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Create an account with a password',
    description:
      'From a guest’s session, this upgrades the guest account and keeps its actor id. ' +
      'Handle and name change, and its other sessions end. Sets the cookie `session`.',
    quota: 'account',
    check: ({ password }) => requirePassword(password),
    success: { status: 201 },
    errors: ['HANDLE_TAKEN', 'BUSY'],
  },
  async (input, services) => {
    const { body, credential, sources } = input
    if (services.config.signup !== 'open') {
      throw new Refusal('FORBIDDEN', {}, 'Sign-up with a password is turned off.')
    }
    const { handle, password } = body
    const name = displayNameFrom(body.name, '/name')
    const from = presentOf(credential)
    const { address } = sources
    const request = { handle, name, password, from, address }
    return signedInAnswer(await services.people.accounts.signUp(request), input, services)
  },
)

export const signIn = route(
  'POST /auth/login',
  {
    ...open,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Sign in with handle and password',
    description:
      'Sets the cookie `session`. An unknown handle and a wrong password get the same ' +
      'answer in the same time. The quota counts by address and by handle.',
    quota: 'login',
    errors: ['LOGIN_FAILED', 'BUSY'],
  },
  async (input, services) => {
    const { body, credential, sources } = input
    countPasswordTry(input, services, `handle:${body.handle}`)
    const request = { ...body, from: presentOf(credential), address: sources.address }
    const signedIn = await counted(services, services.people.accounts.signIn(request))
    return signedInAnswer(signedIn, input, services)
  },
)

export const resetPassword = route(
  'POST /auth/reset',
  {
    ...open,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Set a new password with a reset link',
    description:
      'A reset link comes from the operator. It works once and expires after an hour. All ' +
      'sessions of the account end, and this browser gets a new one.',
    quota: 'login',
    check: ({ password }) => requirePassword(password),
    errors: ['LOGIN_FAILED', 'BUSY'],
  },
  async (input, services) => {
    const request = { ...input.body, address: input.sources.address }
    const signedIn = await counted(services, services.people.accounts.takeReset(request))
    return signedInAnswer(signedIn, input, services)
  },
)

export const signInWays = route(
  'GET /auth/options',
  {
    ...open,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'List the available ways to sign in',
    errors: [],
  },
  async ({ credential }, { config, identityProvider, people }) => {
    const present = presentOf(credential)
    const ways = present && (await people.accounts.waysInto(present.account.accountId))
    return json({
      signup: config.signup,
      guests: config.guestsAllowed,
      provider: identityProvider !== undefined,
      ...(ways && { account: ways }),
    })
  },
)
