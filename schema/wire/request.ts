/**
 * A request to a route of the API, ready for any `fetch`. Pure: where the service is, who asks, and
 * which answers count, is for the client that sends it.
 */
import type { ApiRoute, Body, Parameter, Query } from './api.ts'

/** Parameters by their names in the path, query and body; or an address that an answer gave. */
export type Asked<R extends ApiRoute> = Conditions &
  ((Parameters<R> & Part<'query', Query<R>> & Part<'body', Body<R>>) | { readonly address: string })

type Parameters<R extends ApiRoute> = { readonly [N in Parameter<R>]: string | number }

/** It may be left out where none of its fields has to be there. */
type Part<Name extends string, Fields> = object extends Fields
  ? { readonly [N in Name]?: Fields }
  : { readonly [N in Name]: Fields }

interface Conditions {
  /** A retry of the same request with the same key is done once. */
  readonly idempotencyKey?: string | undefined
  /** The entity tag of an earlier answer. */
  readonly tag?: string
  /** The head alone, of a route that is read. */
  readonly isHead?: true
}

/** What `fetch` takes beside an address. */
export interface WireRequest {
  readonly method: string
  /** With its query; below the address of the service. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

type Given = Conditions &
  Readonly<Record<string, string>> & {
    readonly query?: Readonly<Record<string, string>>
    readonly body?: object
  }

export function requestOf<R extends ApiRoute>(route: R, asked: Asked<R>): WireRequest {
  const { query = {}, body, idempotencyKey, tag, isHead, address, ...named } = asked as Given
  const [method, path] = route.split(' ') as [string, string]
  let search = ''
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search += `${search ? '&' : '?'}${name}=${encodeURIComponent(value)}`
  }
  const at = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(named[name] as string))
  return {
    method: isHead ? 'HEAD' : method,
    path: address ?? at + search,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...(tag && { 'If-None-Match': tag }),
    },
    body: body ? JSON.stringify(body) : null,
  }
}
