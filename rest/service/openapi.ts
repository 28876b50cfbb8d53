/**
 * OpenAPI 3.1 out of the route list: the shapes are JSON Schema already, so nothing is translated.
 * What many routes answer alike stands once, among the components.
 */
import type { TSchema } from '@sinclair/typebox'
import { type ErrorCode, errorCatalogue } from '../../schema/errors.ts'
import { errorShape } from '../../schema/wire/error.ts'
import { errorsOf, type FullDeclaration, type Route, roleNeeded } from '../route.ts'

type Json = Readonly<Record<string, unknown>>

interface Components {
  readonly responses: Record<string, Json>
}

export function openApi(routes: readonly Route[], baseUrl: string) {
  const paths: Record<string, Record<string, Json>> = {}
  const shared: Components = { responses: {} }
  for (const { declaration } of routes) {
    const path = declaration.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][declaration.method.toLowerCase()] = operation(declaration, shared)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version: '1',
      description: 'Shared markdown documents that people and AI agents write together.',
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      ...shared,
      schemas: { Error: errorShape(Object.keys(errorCatalogue) as ErrorCode[]) },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
      },
    },
  }
}

function operation(declaration: FullDeclaration, shared: Components): Json {
  const { summary, description, access, body, upload, success } = declaration
  return {
    operationId: operationId(declaration),
    summary,
    ...(description !== undefined && { description }),
    ...(access !== 'none' && { security: security(declaration) }),
    'x-role': roleNeeded(access),
    ...(declaration.extension && { 'x-extension': true }),
    ...(declaration.deprecated && { deprecated: true }),
    parameters: parameters(declaration),
    ...(body !== undefined && {
      requestBody: {
        required: declaration.optionalBody !== true,
        content: { 'application/json': { schema: body } },
      },
    }),
    ...(upload !== undefined && {
      requestBody: {
        required: true,
        description: `Raw bytes, at most ${upload.maxBytes}.`,
        content: Object.fromEntries(upload.types.map((type) => [type, { schema: binary }])),
      },
    }),
    responses: {
      [success.status]: {
        description: 'Success',
        ...(success.status !== 204 && { content: content(declaration) }),
      },
      ...otherSuccesses(declaration),
      ...errorResponses(declaration, shared),
    },
  }
}

const binary = { type: 'string', format: 'binary' } as const

/** An empty requirement means that no credential is an answer too. */
function security({ access, credentialRequired }: FullDeclaration): Json[] {
  const optional = access === 'optional' || (access === 'read' && credentialRequired === undefined)
  const credentials = [{ bearer: [] }, { session: [] }]
  return optional ? [...credentials, {}] : credentials
}

const operationId = ({ method, path }: FullDeclaration): string =>
  `${method.toLowerCase()}${(path === '/' ? '/home' : path).replace(/(?<![/:.@_-])[/:.@_-]+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())}`

function parameters({ path, query, headers }: FullDeclaration): Json[] {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const fields: Readonly<Record<string, TSchema>> = query['properties'] ?? {}
  return [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(fields).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      schema,
    })),
    ...Object.entries(headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ]
}

function content({ success }: FullDeclaration): Json {
  const types = [success.type ?? 'application/json', ...(success.otherTypes ?? [])]
  return Object.fromEntries(
    types.map((type) => {
      const media = type.split(';')[0] ?? type
      return [media, { schema: media === 'application/json' ? success.body : { type: 'string' } }]
    }),
  )
}

function otherSuccesses(declaration: FullDeclaration): Record<string, Json> {
  const { otherStatuses = [] } = declaration.success
  return Object.fromEntries(
    otherStatuses.map((status) => {
      if (status === 304) return [status, { description: 'Not modified' }]
      if (status > 300 && status < 400) return [status, { description: 'Redirect' }]
      return [status, { description: 'Success', content: content(declaration) }]
    }),
  )
}

/** One response a status: it tells which codes share it. */
function errorResponses(declaration: FullDeclaration, shared: Components): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(declaration)) {
    const { status, ofTarget } = errorCatalogue[code]
    // Of a target only where others of that status are told.
    const statuses = ofTarget !== undefined && declaration.access === 'comment' ? [ofTarget] : []
    for (const each of [status, ...statuses]) {
      byStatus.set(each, [...(byStatus.get(each) ?? []), code])
    }
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = [status, ...codes].join('.')
      shared.responses[name] ??= errorResponse(codes)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

const errorResponse = (codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `${code}: ${errorCatalogue[code].message}`).join(' '),
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
      },
    },
  },
})
