/** Shapes of what is stored of owner keys, webhooks and workspaces, as `records.ts` of the rest. */
import { type Static, Type } from '@sinclair/typebox'
import { recordShape } from './records.ts'

const ownerKey = Type.Object({
  keyId: Type.String(),
  name: Type.String(),
  /** Of the key, hex. */
  sha256: Type.String(),
  createdAt: Type.Integer(),
})

const webhook = Type.Object({
  /** Null: nothing is sent. */
  url: Type.Union([Type.String(), Type.Null()]),
  events: Type.Array(Type.String()),
  /** Names to values, which are encrypted. */
  headers: Type.Record(Type.String(), Type.String()),
  /** What the secret is derived from. */
  secretId: Type.Optional(Type.String()),
  /** The secrets before, each of which signs beside the present one until its time is over. */
  replaced: Type.Optional(
    Type.Array(Type.Object({ secretId: Type.String(), until: Type.Integer() })),
  ),
})

const workspace = Type.Object({
  workspaceId: Type.String(),
  accountId: Type.String(),
  /** Containers. */
  personal: Type.String(),
  team: Type.String(),
  createdAt: Type.Integer(),
  /** Documents that its account owned before are still to be put into it. */
  adopting: Type.Optional(Type.Literal(true)),
})

const containerKind = Type.Union([
  Type.Literal('personal'),
  Type.Literal('team'),
  Type.Literal('brain'),
])

const container = Type.Object({
  containerId: Type.String(),
  kind: containerKind,
  /** Whose workspace it is in. */
  accountId: Type.String(),
  /** Of a brain: whose; and what it was called when its bot was there. */
  agentId: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
})

const folder = Type.Object({
  folderId: Type.String(),
  name: Type.String(),
  /** Where it stands, as a document does. */
  containerId: Type.String(),
  kind: containerKind,
  accountId: Type.String(),
  agentId: Type.Optional(Type.String()),
  parentFolderId: Type.Optional(Type.String()),
  createdAt: Type.Integer(),
})

/** `closed`: somebody is about to delete the folder. */
const folderDoor = Type.Object({ closed: Type.Optional(Type.Literal(true)) })

const member = Type.Object({ addedAt: Type.Integer() })

const botSlug = Type.Object({ agentId: Type.String() })

const placement = Type.Object({
  containerId: Type.String(),
  kind: containerKind,
  accountId: Type.String(),
  agentId: Type.Optional(Type.String()),
  /** Absent: the container's root. */
  parentFolderId: Type.Optional(Type.String()),
  placedAt: Type.Integer(),
})

export type OwnerKeyRecord = Static<typeof ownerKey>
export type WebhookRecord = Static<typeof webhook>
export type Workspace = Static<typeof workspace>
export type Container = Static<typeof container>
export type Folder = Static<typeof folder>
export type Placement = Static<typeof placement>

export const peopleRecords = {
  ownerKey: recordShape('owner key', ownerKey),
  webhook: recordShape('webhook', webhook),
  workspace: recordShape('workspace', workspace),
  container: recordShape('container', container),
  folder: recordShape('folder', folder),
  folderDoor: recordShape('folder door', folderDoor),
  member: recordShape('member', member),
  botSlug: recordShape('bot slug', botSlug),
  placement: recordShape('placement', placement),
} as const
