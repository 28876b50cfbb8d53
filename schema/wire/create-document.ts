/** POST /docs: request and response (interface §2.3, §2.8). */
import { Type } from '@sinclair/typebox'
import { displayNameShape, nullable } from './primitives.ts'

export const libraryTarget = Type.Object(
  {
    // Whatever it is: what is no kind is INVALID_KIND.
    kind: Type.Optional(Type.Unknown({ description: '`default`, `personal`, `team` or `bot`.' })),
    parentFolderId: Type.Optional(nullable(Type.String())),
    botId: Type.Optional(Type.String()),
    botSlug: Type.Optional(Type.String()),
  },
  { additionalProperties: false, description: 'Placement in a library.' },
)

export const createDocumentBody = Type.Object(
  {
    markdown: Type.String({
      description: 'The text of the document. Its title is its first non-empty line.',
    }),
    library_target: Type.Optional(libraryTarget),
    display_name: Type.Optional(displayNameShape),
  },
  { additionalProperties: false },
)

export const libraryTargetResolution = Type.Object(
  {
    kind: Type.Union([Type.Literal('personal'), Type.Literal('team'), Type.Literal('bot')]),
    workspaceId: Type.String(),
    containerId: Type.String(),
    parentFolderId: nullable(Type.String()),
    botId: Type.Optional(Type.String()),
    botSlug: Type.Optional(Type.String()),
    botAgentId: Type.Optional(Type.String()),
    bot_id: Type.Optional(Type.String()),
    requested_bot_slug: Type.Optional(nullable(Type.String())),
    canonical_bot_slug: Type.Optional(Type.String()),
    slug_resolution: Type.Optional(Type.Union([Type.Literal('current'), Type.Literal('renamed')])),
  },
  { description: 'Where the document was placed. Absent when it has no placement.' },
)

export const createDocumentSuccess = Type.Object({
  id: Type.String(),
  title: Type.String(),
  markdown: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  access_token: Type.Optional(
    Type.String({ description: "The creator's own token; absent when an agent created." }),
  ),
  access_token_role: Type.Optional(Type.Literal('editor')),
  url: Type.String(),
  api_url: Type.String(),
  share_url: Type.String({
    description: 'For people. Contains a separate token. Share this address.',
  }),
  actor_id: Type.String(),
  identify_required: Type.Boolean(),
  identify_url: Type.Literal('/agents/identify'),
  docs_url: Type.String(),
  library_target_resolution: Type.Optional(libraryTargetResolution),
  warning: Type.Optional(Type.String()),
})
