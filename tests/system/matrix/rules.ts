/**
 * Who asks, of which document, and what they get: the rules of interface §3, §5 and §7 and of
 * extensions §2 and §3, written from their words alone. Nothing here looks at the service's source.
 */

export type Role = 'viewer' | 'commenter' | 'editor' | 'owner'
export type State = 'active' | 'archived' | 'read_only' | 'comments_disabled'
export type Access = 'anyone' | 'restricted'

export const STATES: readonly State[] = ['active', 'archived', 'read_only', 'comments_disabled']
export const ACCESSES: readonly Access[] = ['anyone', 'restricted']

/** What a caller shows: `dead` was good once. `cookie` is a document's cookie without a session. */
type Shows = 'nothing' | 'token' | 'session' | 'agent' | 'ownerKey' | 'cookie' | 'dead' | 'query'

interface CallerTraits {
  readonly shows: Shows
  /** On the document of the case, of its own: granted, invited or carried by the token. */
  readonly role?: Role
  /** General access says nothing about it (extensions §3: only of who has no credential for it). */
  readonly bound?: true
  /** Interface §3: a per-document token is unidentified until it says a name. */
  readonly unnamed?: true
  /** Extensions §3: a cookie sent with an `Origin` that is not the service's. */
  readonly crossSite?: true
}

export const CALLERS = {
  nobody: { shows: 'nothing' },
  foreignToken: { shows: 'token', bound: true },
  viewerToken: { shows: 'token', role: 'viewer' },
  commenterToken: { shows: 'token', role: 'commenter' },
  editorToken: { shows: 'token', role: 'editor' },
  unnamedToken: { shows: 'token', role: 'editor', unnamed: true },
  ownerSession: { shows: 'session', role: 'owner' },
  editorSession: { shows: 'session', role: 'editor' },
  strangerSession: { shows: 'session' },
  grantedAgent: { shows: 'agent', role: 'editor' },
  strangerAgent: { shows: 'agent' },
  /** Its owner is the document's: that alone grants it nothing (interface §5, rule 3). */
  ephemeralAgent: { shows: 'agent' },
  ownerKey: { shows: 'ownerKey', bound: true },
  revokedToken: { shows: 'dead' },
  expiredToken: { shows: 'dead' },
  /** The editor's token, in `?token=`. */
  tokenInQuery: { shows: 'query', role: 'editor' },
  /** The owner's cookies, from a page of somebody else. */
  crossSite: { shows: 'session', role: 'owner', crossSite: true },
  /** A browser that opened an editor's link and has no session. */
  linkCookie: { shows: 'cookie', role: 'editor', unnamed: true },
} as const satisfies Record<string, CallerTraits>

export type Caller = keyof typeof CALLERS

/**
 * `ok` is the row's own success. `refused` is any 4xx where the contract refuses without saying how;
 * `silent` is anything but a 5xx, where it says nothing at all.
 */
export type Outcome = 'ok' | 'refused' | 'silent' | `${number} ${string}` | `${number}`

/** Who a route of no document is for; `any` takes everybody who shows nothing that is dead. */
export type Audience = 'public' | 'any' | 'session' | 'agent' | 'ownerKey'

export interface Exception {
  readonly callers: readonly Caller[]
  readonly states?: readonly State[]
  readonly access?: Access
  readonly outcome: Outcome
  /** The sentence that says so. */
  readonly says: string
}

export interface Row {
  /** `GET /docs/:slug`; a socket's method is `WS`. */
  readonly route: string
  /** Tells rows of one route apart. */
  readonly variant?: string
  /** Document routes: the least role. Others: who they are for. */
  readonly for: Role | Audience
  /** What the success looks like: a status, a status and code, or several separated by `|`. */
  readonly ok: string
  /** Instead of `ok` in these states. */
  readonly okIn?: Partial<Record<State, string>>
  /** The state that does not stop it, or stops it in its own way. */
  readonly archived?: 'works'
  readonly lock?: 'text' | 'comments'
  /** Extensions §9: 412 goes to every write of an unidentified token but these. */
  readonly unnamed?: 'works'
  readonly except?: readonly Exception[]

  /** The rest says what is sent: `$word` is filled in by the driver. */
  readonly query?: string
  readonly body?: unknown
  readonly raw?: { readonly type: string; readonly bytes: 'png' | 'html' }
  /** What a success takes away, so that the driver gives it something of its own. */
  readonly spends?: 'document' | 'account' | 'agent' | 'token'
  /** What the driver does after a success, to have the document as it was. */
  readonly undo?: 'restore' | 'archive'
}

const RANK: readonly Role[] = ['viewer', 'commenter', 'editor', 'owner']
const isRole = (word: Role | Audience): word is Role => RANK.some((role) => role === word)

export const isDocumentRow = (row: Row): boolean => isRole(row.for)

/** A read needs no name, no `Origin`, and is what general access is about. */
const method = (row: Row): string => row.route.slice(0, row.route.indexOf(' '))
const reads = (row: Row): boolean => method(row) === 'GET' || method(row) === 'WS'

const AUTH: Outcome = '401 AUTH_REQUIRED'
const FORBIDDEN: Outcome = '403 FORBIDDEN'

/** What the contract says this caller gets, in the order of refusals of extensions §2. */
export function expected(row: Row, caller: Caller, state: State, access: Access): Outcome {
  const exception = row.except?.find(
    (one) =>
      one.callers.includes(caller) &&
      (one.states === undefined || one.states.includes(state)) &&
      (one.access === undefined || one.access === access),
  )
  if (exception !== undefined) return exception.outcome
  return isRole(row.for)
    ? ofDocument(row, row.for, { caller, state, access })
    : ofAudience(row, row.for, CALLERS[caller])
}

interface Case {
  readonly caller: Caller
  readonly state: State
  readonly access: Access
}

function ofDocument(row: Row, least: Role, { caller, state, access }: Case): Outcome {
  const traits: CallerTraits = CALLERS[caller]
  if (traits.shows === 'query') return '401 AUTH_HEADER_REQUIRED'
  if (traits.shows === 'dead') return AUTH
  const role = roleOn(row, traits, access)
  if (role === undefined && traits.shows === 'nothing') return AUTH
  if (isForged(row, traits)) return FORBIDDEN
  if (role === undefined || RANK.indexOf(role) < RANK.indexOf(least)) {
    // Of somebody without a credential the one that is missing is asked for, whatever the role.
    return traits.shows === 'nothing' ? AUTH : FORBIDDEN
  }
  if (state === 'archived' && row.archived !== 'works') return '423 DOC_ARCHIVED'
  if (!reads(row) && traits.unnamed === true && row.unnamed !== 'works') {
    return '412 IDENTIFY_REQUIRED'
  }
  if (row.lock === 'text' && state === 'read_only' && role !== 'owner') return '403 DOC_READ_ONLY'
  if (row.lock === 'comments' && state === 'comments_disabled') return '403 COMMENTS_DISABLED'
  return 'ok'
}

/** Extensions §3: a GET reads what is anyone-with-link, as a viewer; no slug lets anyone write. */
function roleOn(row: Row, traits: CallerTraits, access: Access): Role | undefined {
  if (traits.role !== undefined) return traits.role
  return access === 'anyone' && reads(row) && traits.bound !== true ? 'viewer' : undefined
}

/** Extensions §3: what changes something, and an upgrade, by a cookie needs the service's `Origin`. */
const isForged = (row: Row, traits: CallerTraits): boolean =>
  traits.crossSite === true && method(row) !== 'GET'

function ofAudience(row: Row, audience: Audience, traits: CallerTraits): Outcome {
  const isOdd = traits.shows === 'dead' || traits.shows === 'query'
  if (audience === 'public') return isOdd ? 'silent' : 'ok'
  if (traits.shows === 'query') return 'silent'
  if (traits.shows === 'dead') return AUTH
  if (isForged(row, traits)) return FORBIDDEN
  if (audience === 'any' || traits.shows === audience) return 'ok'
  if (traits.shows === 'nothing' || traits.shows === 'cookie') return AUTH
  // Of a secret that is good, but of another kind, the contract does not say which of the two.
  return audience === 'session' ? 'refused' : FORBIDDEN
}
