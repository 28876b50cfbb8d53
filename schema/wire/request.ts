/**
 * A request to a route of the API, ready for any `fetch`. Pure: where the service is, who asks, and
 * which answers count, is for the client that sends it.
 */
import type { ApiRoute, Body, Parameter, Query } from './api.ts'

/**
 * Parameters by their names in the path, query and body; or an address that an answer gave. Of one
 * of several routes, what one of them needs.
 */
export type Asked<R extends ApiRoute> = R extends ApiRoute
  ? Conditions & (Filled<R> | { readonly address: string })
  : never

type Filled<R extends ApiRoute> = Parameters<R> & Part<'query', Query<R>> & Part<'body', Body<R>>

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

type Value = string | number | boolean
type Values = Readonly<Record<string, Value | undefined>>

type Given = Conditions & {
  readonly query?: Values
  readonly body?: object
  readonly address?: string
}

export function requestOf<R extends ApiRoute>(route: R, asked: Asked<R>): WireRequest {
  const { query, body, idempotencyKey, tag, isHead, address, ...named }: Given = asked
  const [method, path] = route.split(' ') as [string, string]
  let search = ''
  for (const name in query) {
    const value = query[name]
    if (value !== undefined) search += `${search ? '&' : '?'}${name}=${encodeURIComponent(value)}`
  }
  return {
    method: isHead ? 'HEAD' : method,
    path: address ?? filled(path, named as Values) + search,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...(tag && { 'If-None-Match': tag }),
    },
    body: body ? JSON.stringify(body) : null,
  }
}

const filled = (path: string, values: Values): string =>
  path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values[name] as Value))
