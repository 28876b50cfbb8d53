/**
 * Every field of every route that takes a text, from the declarations: a new route is tried as soon
 * as it is declared. Most are refused for what else is missing; also that has to be cheap.
 */
import type { TSchema } from '@sinclair/typebox'
import { routes } from '../../../rest/all-routes.ts'
import type { FullDeclaration } from '../../../rest/route.ts'
import { limits } from '../../../schema/limits.ts'
import type { Call } from '../../unit/rest/service.ts'
import type { Scene } from './inputs.ts'

export interface FieldInput {
  readonly name: string
  readonly most: number
  /** The request with a text in this field. */
  request(text: string, made: { slug: string; token: string }): Call & RequestLine
}

interface RequestLine {
  readonly method: string
  readonly path: string
}

/** What an address may have; Node takes 16 KiB of headers. */
const addressMost = 2_048

export const fieldInputs: readonly FieldInput[] = routes.flatMap(({ declaration }) => [
  ...fieldsOf(declaration.body).map((field) => bodyInput(declaration, field)),
  ...fieldsOf(declaration.query).map((field) => queryInput(declaration, field)),
  ...[...declaration.path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathInput(declaration, name)),
])

function fieldsOf(schema: TSchema | undefined): readonly string[] {
  const properties: unknown = schema?.['properties']
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}

function bodyInput({ method, path, bodyLimit }: FullDeclaration, field: string): FieldInput {
  return {
    name: `${method} ${path} ${field}`,
    most: Math.min(64 * 1024, limits.bodyMaxBytes[bodyLimit] / 4),
    request: (text, made) => ({
      method,
      path: addressOf(path, made),
      token: made.token,
      body: { [field]: text },
    }),
  }
}

function queryInput({ method, path }: FullDeclaration, field: string): FieldInput {
  return {
    name: `${method} ${path}?${field}=`,
    most: addressMost / 4,
    request: (text, made) => ({
      method,
      path: `${addressOf(path, made)}?${field}=${encodeURIComponent(text.toWellFormed())}`,
      token: made.token,
    }),
  }
}

function pathInput({ method, path }: FullDeclaration, name: string): FieldInput {
  return {
    name: `${method} ${path} :${name}`,
    most: addressMost / 4,
    request: (text, made) => ({
      method,
      path: addressOf(path.replace(`:${name}`, encodeURIComponent(text.toWellFormed())), made),
      token: made.token,
    }),
  }
}

const addressOf = (path: string, { slug }: { readonly slug: string }): string =>
  path.replace(':slug', slug).replace(/:\w+/g, 'x')

/** Sends it as an agent where the route is for agents, else with a document's token. */
export function callOf(
  input: FieldInput,
  { service, agent }: Scene,
  made: { slug: string; token: string },
) {
  return async (text: string) => {
    const { method, path, ...call } = input.request(text, made)
    const token = path.startsWith('/agents/me') ? agent : made.token
    return service.call(method, path, { ...call, token })
  }
}
