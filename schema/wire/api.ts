/**
 * The API, one row a route: the shapes of its query, its body and its answer. The service checks
 * requests by them; clients take their types from it, which cost them nothing when they run. Roles,
 * errors and limits are said where the route is (rest/route.ts).
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import * as access from './access.ts'
import * as account from './account.ts'
import * as agentLibrary from './agent-library.ts'
import * as agents from './agents.ts'
import * as archive from './archive.ts'
import * as assets from './assets.ts'
import * as comments from './comments.ts'
import * as createDocument from './create-document.ts'
import * as feedback from './feedback.ts'
import * as folders from './folders.ts'
import * as history from './history.ts'
import * as inbox from './inbox.ts'
import * as links from './links.ts'
import * as liveState from './live-state.ts'
import * as pages from './pages.ts'
import * as patchDocument from './patch-document.ts'
import * as readBlock from './read-block.ts'
import * as readDocument from './read-document.ts'
import * as service from './service.ts'
import * as threads from './threads.ts'
import * as webhooks from './webhooks.ts'
import * as workspace from './workspace.ts'

export interface Shapes {
  /** None unless given. */
  readonly query?: TSchema
  /** Fields as JSON. Bytes of an image or a page have no shape. */
  readonly body?: TSchema
  readonly success: TSchema
}

type Key = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

export const api = {
  'POST /docs': {
    body: createDocument.createDocumentBody,
    success: createDocument.createDocumentSuccess,
  },
  'GET /docs/:slug': {
    query: readDocument.readDocumentQuery,
    success: Type.Union([
      readDocument.readDocumentSuccess,
      history.formerSuccess,
      threads.threadPageShape,
      threads.commentPageShape,
    ]),
  },
  'GET /docs/:slug/threads': { query: threads.threadsQuery, success: threads.threadsSuccess },
  'GET /docs/:slug/blocks/:bid': { success: readBlock.readBlockSuccess },
  'GET /docs/:slug/actors': {
    query: readBlock.readActorsQuery,
    success: readBlock.readActorsSuccess,
  },
  'GET /docs/:slug/changes/connect': { query: service.changesQuery, success: service.textSuccess },
  'GET /docs/:slug/live': { query: service.liveQuery, success: service.textSuccess },
  'GET /docs/:slug/live/state': {
    query: liveState.liveStateQuery,
    success: liveState.liveStateSuccess,
  },
  'PATCH /docs/:slug': {
    query: patchDocument.patchDocumentQuery,
    body: patchDocument.patchDocumentBody,
    success: patchDocument.patchDocumentSuccess,
  },
  'POST /docs/:slug/comments': { body: comments.commentBody, success: comments.commentSuccess },
  'PATCH /docs/:slug/comments/:cid': {
    body: comments.editCommentBody,
    success: comments.editCommentSuccess,
  },
  'DELETE /docs/:slug/comments/:cid': { success: comments.deletedCommentSuccess },
  'GET /docs/:slug/tombstones': { query: pages.pageQuery, success: comments.tombstonesSuccess },
  'POST /docs/:slug/comments/:cid/resolve': {
    body: comments.resolveBody,
    success: comments.resolveSuccess,
  },
  'POST /docs/:slug/threads/:thread_id/resolve': {
    body: comments.resolveBody,
    success: comments.resolveSuccess,
  },
  'POST /docs/:slug/threads/:thread_id/unresolve': { success: comments.unresolveSuccess },
  'POST /docs/:slug/comments/:cid/accept': { success: comments.acceptSuccess },
  'POST /docs/:slug/comments/:cid/reject': { success: comments.rejectSuccess },
  'POST /docs/:slug/comments/:cid/sentiments': {
    body: comments.sentimentBody,
    success: comments.sentimentSuccess,
  },
  'DELETE /docs/:slug/comments/:cid/sentiments/:actor': { success: comments.reactionGoneSuccess },
  'POST /docs/:slug/comments/:cid/plusones': { success: comments.plusOneSuccess },
  'DELETE /docs/:slug/comments/:cid/plusones/:actor': { success: comments.reactionGoneSuccess },
  'GET /docs/:slug/mentionable': {
    query: inbox.mentionableQuery,
    success: inbox.mentionableSuccess,
  },
  'PUT /docs/:slug/mute': { body: inbox.muteBody, success: inbox.muteSuccess },
  'PUT /docs/:slug/threads/:thread_id/mute': { body: inbox.muteBody, success: inbox.muteSuccess },
  'GET /agents/me/inbox': { query: inbox.inboxQuery, success: inbox.inboxSuccess },
  'POST /agents/me/inbox/ack': { body: inbox.ackBody, success: inbox.ackSuccess },
  'GET /inbox': { query: inbox.inboxQuery, success: inbox.inboxSuccess },
  'POST /inbox/ack': { body: inbox.ackBody, success: inbox.ackSuccess },
  'POST /docs/:slug/images': { success: assets.imageSuccess },
  'GET /docs/:slug/images/:id': { success: service.textSuccess },
  'DELETE /docs/:slug/images/:id': { success: assets.deletedSuccess },
  'POST /docs/:slug/artifacts': { success: assets.artifactSuccess },
  'GET /docs/:slug/artifacts/:id': { query: assets.artifactQuery, success: service.textSuccess },
  'GET /docs/:slug/artifacts/:id/meta': { success: assets.artifactMeta },
  'POST /docs/:slug/artifacts/:id/poster': { success: assets.posterSuccess },
  'GET /docs/:slug/artifacts/:id/poster': { success: service.textSuccess },
  'POST /docs/:slug/feedback': {
    query: feedback.feedbackQuery,
    body: feedback.feedbackBody,
    success: feedback.feedbackSuccess,
  },
  'POST /docs/:slug/feedback/images': { success: assets.imageSuccess },
  'GET /docs/:slug/feedback/images/:id': { success: service.textSuccess },
  'GET /docs/:slug/history': { query: history.historyQuery, success: history.historySuccess },
  'GET /docs/:slug/log.md': { query: history.logQuery, success: service.textSuccess },
  'GET /docs/:slug/diff': { query: history.diffQuery, success: history.diffSuccess },
  'GET /docs/:slug/since': { query: history.sinceQuery, success: history.sinceSuccess },
  'PUT /docs/:slug/revisions/:n/name': { body: history.nameBody, success: history.nameSuccess },
  'POST /docs/:slug/revert': {
    query: patchDocument.patchDocumentQuery,
    body: history.revertBody,
    success: patchDocument.patchDocumentSuccess,
  },
  'PATCH /docs/:slug/settings': { body: archive.settingsBody, success: archive.settingsSuccess },
  'POST /docs/:slug/archive': { success: archive.archivedSuccess },
  'POST /docs/:slug/restore': { success: archive.archivedSuccess },
  'GET /docs/:slug/archive': { query: archive.archiveQuery, success: archive.archiveShape },
  'DELETE /docs/:slug': { success: Type.Object({}) },
  'DELETE /docs/:slug/forever': { success: archive.purgingSuccess },
  'POST /agents/identify': { body: agents.identifyBody, success: agents.identifySuccess },
  'POST /agents/me/join': { body: agents.joinBody, success: agents.joinSuccess },
  'POST /agents/register': { body: agents.registerBody, success: agents.registerSuccess },
  'POST /agents/ephemeral': { body: agents.ephemeralBody, success: agents.ephemeralSuccess },
  'GET /agents/me': { success: agents.agentProfileSuccess },
  'PATCH /agents/me': { body: agents.agentChangesBody, success: agents.agentProfileSuccess },
  'POST /agents/me/rotate-key': { success: agents.rotatedKeySuccess },
  'DELETE /agents/me': { success: agents.deletedAgentSuccess },
  'GET /docs/:slug/link-access': { success: readDocument.linkAccessShape },
  'PATCH /docs/:slug/link-access': {
    body: links.linkAccessBody,
    success: readDocument.linkAccessShape,
  },
  'POST /docs/:slug/share-link': { success: links.shareLinkSuccess },
  'POST /docs/:slug/links': { body: links.newLinkBody, success: links.linkShape },
  'GET /docs/:slug/links': { query: pages.pageQuery, success: links.linkListSuccess },
  'DELETE /docs/:slug/links/:code': { success: links.revokedLinkSuccess },
  'POST /docs/:slug/access': { body: access.giveAccessBody, success: access.giveAccessSuccess },
  'GET /docs/:slug/access': { query: pages.pageQuery, success: access.accessListSuccess },
  'DELETE /docs/:slug/access/:id': {
    query: access.takeAccessQuery,
    success: access.takenAccessSuccess,
  },
  'GET /s/@:handle/:name.json': {
    query: service.anyQuery,
    success: readDocument.readDocumentSuccess,
  },
  'GET /s/:code.json': { query: service.anyQuery, success: readDocument.readDocumentSuccess },
  'GET /s/@:handle/:name.md': { query: service.anyQuery, success: service.textSuccess },
  'GET /s/@:handle/:name.okf': { query: service.anyQuery, success: service.textSuccess },
  'GET /s/:code.md': { query: service.anyQuery, success: service.textSuccess },
  'GET /s/:code.okf': { query: service.anyQuery, success: service.textSuccess },
  'GET /s/@:handle/:name': { query: service.anyQuery, success: links.confirmationSuccess },
  'GET /s/:code': { query: service.anyQuery, success: links.confirmationSuccess },
  'POST /s/:code/:ticket': { query: service.anyQuery, success: links.confirmedSuccess },
  'GET /s/:code/:ticket': { query: service.anyQuery, success: links.confirmedSuccess },
  'POST /auth/guest': { body: account.guestBody, success: account.accountSuccess },
  'GET /auth/me': { success: account.accountSuccess },
  'PATCH /auth/me': { body: account.accountChange, success: account.accountSuccess },
  'DELETE /auth/me': { body: account.accountEnd, success: account.accountEnded },
  'POST /auth/origin': { success: service.okSuccess },
  'POST /docs/:slug/guest': { body: account.guestBody, success: account.accountSuccess },
  'POST /auth/logout': { success: service.okSuccess },
  'POST /auth/signup': { body: account.signUpBody, success: account.accountSuccess },
  'POST /auth/login': { body: account.signInBody, success: account.accountSuccess },
  'POST /auth/reset': { body: account.resetBody, success: account.accountSuccess },
  'GET /auth/options': { success: account.signInOptions },
  'GET /auth/sessions': { success: account.sessionsSuccess },
  'DELETE /auth/sessions/:id': { success: account.sessionEnded },
  'POST /auth/guest-documents': {
    body: account.guestDocumentsBody,
    success: account.guestDocumentsSuccess,
  },
  'GET /auth/oidc': { query: account.detourQuery, success: service.textSuccess },
  'GET /auth/oidc/callback': { query: service.anyQuery, success: service.textSuccess },
  'GET /agents/me/webhook-deliveries': {
    query: webhooks.deliveriesQuery,
    success: webhooks.deliveriesSuccess,
  },
  'GET /auth/agents/:agent_id/webhook-deliveries': {
    query: webhooks.deliveriesQuery,
    success: webhooks.deliveriesSuccess,
  },
  'POST /agents/me/webhook-deliveries/:id/redeliver': { success: webhooks.queuedDeliverySuccess },
  'POST /auth/agents/:agent_id/webhook-deliveries/:id/redeliver': {
    success: webhooks.queuedDeliverySuccess,
  },
  'POST /agents/me/webhook-deliveries/replay': {
    body: webhooks.replayBody,
    success: webhooks.replaySuccess,
  },
  'POST /auth/agents/:agent_id/webhook-deliveries/replay': {
    body: webhooks.replayBody,
    success: webhooks.replaySuccess,
  },
  'POST /agents/me/webhook-test': { success: webhooks.queuedDeliverySuccess },
  'POST /auth/agents/:agent_id/webhook-test': { success: webhooks.queuedDeliverySuccess },
  'GET /auth/agents': { query: pages.pageQuery, success: agents.ownedAgentsSuccess },
  'GET /auth/agents/:agent_id': { success: agents.agentProfileSuccess },
  'DELETE /auth/agents/:agent_id': { success: agents.deletedAgentSuccess },
  'POST /auth/owner-keys': { body: account.ownerKeyBody, success: account.newOwnerKeySuccess },
  'GET /auth/owner-keys': { success: account.ownerKeysSuccess },
  'DELETE /auth/owner-keys/:key_id': { success: account.deletedOwnerKeySuccess },
  'GET /workspace': { success: workspace.workspaceSuccess },
  'POST /workspace/members': { body: workspace.memberBody, success: workspace.memberSuccess },
  'DELETE /workspace/members/:actor': { success: workspace.removedMemberSuccess },
  'POST /workspace/bots': { body: workspace.newBotBody, success: workspace.newBotSuccess },
  'PATCH /workspace/bots/:agent_id': {
    body: workspace.botChangesBody,
    success: workspace.botSuccess,
  },
  'DELETE /workspace/bots/:agent_id': { success: agents.deletedAgentSuccess },
  'GET /agents/me/library/context': {
    query: pages.pageQuery,
    success: agentLibrary.contextSuccess,
  },
  'GET /agents/me/library/search': {
    query: agentLibrary.searchQuery,
    success: agentLibrary.searchSuccess,
  },
  'GET /bundles/me': { query: agentLibrary.bundleQuery, success: agentLibrary.bundleSuccess },
  'GET /bundles/:handle': { query: agentLibrary.bundleQuery, success: agentLibrary.bundleSuccess },
  'POST /docs/folders': { body: folders.newFolderBody, success: folders.folderSuccess },
  'PATCH /docs/folders/:id': { body: folders.folderChangesBody, success: folders.folderSuccess },
  'DELETE /docs/folders/:id': { success: folders.deletedFolderSuccess },
  'PUT /docs/:slug/placement': { body: folders.placementBody, success: folders.placementSuccess },
  'GET /workspace/library': { query: workspace.libraryQuery, success: workspace.librarySuccess },
  'GET /workspace/shared': { query: workspace.sharedQuery, success: workspace.sharedSuccess },
  'POST /docs/:slug/claim': { success: account.claimSuccess },
  'DELETE /docs/:slug/claim': { success: account.givenBackSuccess },
  'GET /docs/:slug/owner': { success: access.ownershipSuccess },
  'POST /docs/:slug/owner': { body: access.offerBody, success: access.offerSuccess },
  'DELETE /docs/:slug/owner': { success: access.takenAccessSuccess },
  'POST /docs/:slug/owner/accept': { success: account.claimSuccess },
  'GET /': { query: service.anyQuery, success: service.textSuccess },
  'GET /account': { query: service.anyQuery, success: service.textSuccess },
  'GET /reset': { query: service.anyQuery, success: service.textSuccess },
  'GET /d/:slug': { query: service.anyQuery, success: service.textSuccess },
  'GET /assets/:file': { query: service.anyQuery, success: service.textSuccess },
  'GET /icon.svg': { query: service.anyQuery, success: service.textSuccess },
  'GET /worker.js': { query: service.anyQuery, success: service.textSuccess },
  'GET /openapi.json': { query: service.anyQuery, success: service.openApiSuccess },
  'GET /reference': { query: service.anyQuery, success: service.textSuccess },
  'GET /llms.txt': { query: service.anyQuery, success: service.textSuccess },
  'GET /healthz': { query: service.anyQuery, success: service.okSuccess },
  'GET /readyz': { query: service.anyQuery, success: service.okSuccess },
  'GET /metrics': { query: service.anyQuery, success: service.textSuccess },
} satisfies Record<Key, Shapes>

/** A route by its method and path, parameters as `:name`. */
export type ApiRoute = keyof typeof api

/** What a request of this route carries in its query; a number stands for its digits. */
export type Query<R extends ApiRoute> = {
  readonly [N in keyof Carried<R, 'query'>]: Spelled<Carried<R, 'query'>[N]>
}

/** The fields of its body. */
export type Body<R extends ApiRoute> = Carried<R, 'body'>

/** What a success answers with. */
export type Success<R extends ApiRoute> = Static<(typeof api)[R]['success']>

/** A field of some success, and the successes that have these fields. */
export type Field<R extends ApiRoute> = FieldOf<Success<R>>
export type SuccessWith<R extends ApiRoute, F extends string> = With<Success<R>, F>

type FieldOf<T> = T extends unknown ? keyof T & string : never
type With<T, F extends string> =
  T extends Partial<Record<F, unknown>>
    ? [F] extends [keyof T]
      ? T & Required<Pick<T, F>>
      : never
    : never

type Carried<R extends ApiRoute, Part extends string> =
  (typeof api)[R] extends Record<Part, infer Shape extends TSchema> ? Sent<Static<Shape>> : object

/** The same as it may be handed over: arrays as they are, and what is undefined is left out. */
type Sent<T> = T extends object
  ? { readonly [N in keyof T]: Sent<T[N]> | (object extends Pick<T, N> ? undefined : never) }
  : T

type Spelled<T> = T | (string extends T ? number : never) | ('true' extends T ? boolean : never)

/** The names of the parameters in a path. */
export type Parameter<Path extends string> = Path extends `${string}:${infer Rest}`
  ? UpTo<UpTo<Rest, '/'>, '.'> | Parameter<Rest>
  : never

type UpTo<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}`
  ? Head
  : Text
