/**
 * Signing in by OpenID Connect (extensions §3): the code flow with PKCE, state and nonce. What the
 * provider says of itself is asked for when it is first needed, so that one that is down holds up
 * nobody but those who want to sign in by it.
 */
import * as client from 'openid-client'
import type { Logger } from 'pino'
import type { Identity } from '../core/accounts/identities.ts'
import type { IdentityProvider } from '../rest/accounts/identity-provider.ts'
import { Refusal } from '../schema/errors.ts'
import type { Runtime } from '../schema/runtime.ts'
import type { ProviderSettings } from './config.ts'

const providerAnswersWithinMs = 5_000

type ProviderParts = ProviderSettings & {
  readonly runtime: Runtime
  readonly logger: Pick<Logger, 'warn'>
}

/** What a browser keeps while it is away. */
interface Memory {
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

export function openIdentityProvider(given: ProviderParts): IdentityProvider {
  const { runtime } = given
  let discovered: Promise<client.Configuration> | undefined
  const provider = () => {
    discovered ??= discover(given).catch((error: unknown) => {
      discovered = undefined
      throw error
    })
    return discovered
  }
  const random = () => Buffer.from(runtime.randomBytes(32)).toString('base64url')
  return {
    begin: (returnAddress) =>
      told(given, async () => {
        const configuration = await provider()
        const memory: Memory = { verifier: random(), state: random(), nonce: random() }
        const address = client.buildAuthorizationUrl(configuration, {
          redirect_uri: returnAddress,
          scope: 'openid profile',
          code_challenge: await client.calculatePKCECodeChallenge(memory.verifier),
          code_challenge_method: 'S256',
          state: memory.state,
          nonce: memory.nonce,
        })
        return { address: address.href, memory: JSON.stringify(memory) }
      }),
    finish: (address, memory) =>
      told(given, async () => identityFrom(await provider(), address, memoryFrom(memory))),
  }
}

function discover({
  issuer,
  clientId,
  clientSecret,
}: ProviderParts): Promise<client.Configuration> {
  // Whoever names an address without TLS has a provider on its own network.
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  const timeout = providerAnswersWithinMs / 1000
  return client.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout })
}

async function identityFrom(
  configuration: client.Configuration,
  address: string,
  { verifier, state, nonce }: Memory,
): Promise<Identity> {
  const tokens = await client.authorizationCodeGrant(configuration, new URL(address), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Refusal('LOGIN_FAILED')
  const isTold = claims['preferred_username'] !== undefined && claims['name'] !== undefined
  const more =
    isTold || configuration.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  const wish = (name: string) => text(claims[name]) ?? text(Reflect.get(more, name))
  return {
    issuer: claims.iss,
    subject: claims.sub,
    preferredHandle: wish('preferred_username'),
    name: wish('name'),
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Refuses LOGIN_FAILED what is none of ours. */
function memoryFrom(memory: string): Memory {
  try {
    const { verifier, state, nonce }: Partial<Record<keyof Memory, unknown>> = JSON.parse(memory)
    const parts = { verifier: text(verifier), state: text(state), nonce: text(nonce) }
    if (parts.verifier && parts.state && parts.nonce) return parts as Memory
  } catch {
    // As for one that lacks a part.
  }
  throw new Refusal('LOGIN_FAILED')
}

/** The provider's refusals, and what it cannot have said, prove nobody; all else is its trouble. */
async function told<T>({ logger }: ProviderParts, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof Refusal) throw error
    const isRefused =
      error instanceof client.AuthorizationResponseError ||
      (error instanceof client.ResponseBodyError && error.status < 500) ||
      (error instanceof client.ClientError && !isTrouble(error))
    logger.warn(reason(error), 'the identity provider refused a sign-in')
    if (isRefused) throw new Refusal('LOGIN_FAILED')
    throw new Refusal('UNAVAILABLE', { retry_after: 5 }, 'The identity provider is not responding.')
  }
}

/** What went wrong; not what came with it, which is personal or secret. */
function reason(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { problem: String(error) }
  const { name, message, cause } = error
  const code: unknown = Reflect.get(error, 'code') ?? Reflect.get(error, 'error')
  return {
    problem: `${name}: ${message}`,
    ...(typeof code === 'string' && { code }),
    ...(cause instanceof Error && { cause: `${cause.name}: ${cause.message}` }),
  }
}

const isTrouble = ({ code }: client.ClientError): boolean =>
  code === undefined || /TIMEOUT|NETWORK|RESPONSE_IS_NOT|JSON|PARSE|ABORT/.test(code)
