/** The one list of routes: what is mounted, documented and tested. */
import {
  attestOrigin,
  becomeGuest,
  becomeGuestOfDocument,
  logOut,
  whoAmI,
} from './accounts/accounts.ts'
import { comeFromProvider, leaveForProvider } from './accounts/oidc.ts'
import {
  answerGuestDocuments,
  changeAccount,
  endAccount,
  endSession,
  listSessions,
} from './accounts/own-account.ts'
import { listOwnerKeys, makeOwnerKey, revokeOwnerKey } from './accounts/owner-keys.ts'
import { resetPassword, signIn, signInWays, signUp } from './accounts/sign-in.ts'
import { readContext, searchLibrary } from './agents/agent-library.ts'
import { identify, register, registerEphemeral } from './agents/agents.ts'
import { changeOwnAgent, deleteOwnAgent, readOwnAgent, rotateKey } from './agents/own-agent.ts'
import { deleteOwnedAgent, listOwnedAgents } from './agents/owned-agents.ts'
import { deleteComment, editComment, makeComment, readTombstones } from './comments/comments.ts'
import { readThreads } from './comments/read-threads.ts'
import {
  acceptSuggestion,
  givePlusOne,
  rejectSuggestion,
  resolveComment,
  resolveThread,
  setSentiment,
  takePlusOne,
  takeSentiment,
  unresolveThread,
} from './comments/threads.ts'
import {
  archive,
  archiveByDelete,
  deleteForever,
  readArchive,
  restore,
} from './documents/archive.ts'
import { createDocument } from './documents/create-document.ts'
import { nameRevision, readDiff, readHistory, readLog, readSince } from './documents/history.ts'
import { readLiveState } from './documents/live-state.ts'
import { readActors, readBlock } from './documents/read-block.ts'
import { readDocument } from './documents/read-document.ts'
import { setSettings } from './documents/settings.ts'
import { patchDocument } from './edits/patch-document.ts'
import { revertDocument } from './edits/revert.ts'
import {
  pictureArtifact,
  readArtifact,
  readArtifactMeta,
  readPoster,
  uploadArtifact,
} from './files/artifacts.ts'
import { bundleOfGrant, ownBundle } from './files/bundles.ts'
import { deleteImage, readImage, uploadImage } from './files/images.ts'
import { changeFolder, deleteFolder, makeFolder, placeDocument } from './library/folders.ts'
import { readLibrary, readShared } from './library/library.ts'
import {
  addMember,
  changeBot,
  deleteBot,
  makeBot,
  readWorkspace,
  removeMember,
} from './library/workspace.ts'
import {
  acknowledgeAsAgent,
  acknowledgeAsPerson,
  muteDocument,
  muteThread,
  readAgentInbox,
  readInboxOfPerson,
  readMentionable,
} from './notifications/inbox.ts'
import {
  listDeliveries,
  readOwnedAgent,
  redeliver,
  replayDeliveries,
  testWebhook,
} from './notifications/webhooks.ts'
import {
  openAccount,
  openDocument,
  openHome,
  openReset,
  pageAsset,
  pageIcon,
  pageWorker,
} from './pages/page.ts'
import type { Route } from './route.ts'
import { readFeedbackImage, reportFeedback, uploadFeedbackImage } from './service/feedback.ts'
import { health, metrics, readiness, referenceRoutes } from './service/service.ts'
import { connectChanges, connectLive } from './service/sockets.ts'
import { giveAccess, listAccess, takeAccess } from './sharing/access.ts'
import { joinDocument } from './sharing/joining.ts'
import { listLinks, makeLink, readLinkAccess, revokeLink, setLinkAccess } from './sharing/links.ts'
import {
  acceptDocument,
  claimDocument,
  giveBackDocument,
  offerDocument,
  readOwnership,
  withdrawOffer,
} from './sharing/ownership.ts'
import {
  confirmByButton,
  confirmShortLink,
  followShortLink,
  shareLink,
  shortLinkJson,
  shortLinkMarkdown,
} from './sharing/short-links.ts'

export const routes: readonly Route[] = [
  createDocument,
  readDocument,
  readThreads,
  readBlock,
  readActors,
  connectChanges,
  connectLive,
  readLiveState,
  patchDocument,
  makeComment,
  editComment,
  deleteComment,
  readTombstones,
  resolveComment,
  resolveThread,
  unresolveThread,
  acceptSuggestion,
  rejectSuggestion,
  setSentiment,
  takeSentiment,
  givePlusOne,
  takePlusOne,
  readMentionable,
  muteDocument,
  muteThread,
  readAgentInbox,
  acknowledgeAsAgent,
  readInboxOfPerson,
  acknowledgeAsPerson,
  uploadImage,
  readImage,
  deleteImage,
  uploadArtifact,
  readArtifact,
  readArtifactMeta,
  pictureArtifact,
  readPoster,
  reportFeedback,
  uploadFeedbackImage,
  readFeedbackImage,
  readHistory,
  readLog,
  readDiff,
  readSince,
  nameRevision,
  revertDocument,
  setSettings,
  archive,
  restore,
  readArchive,
  archiveByDelete,
  deleteForever,
  identify,
  joinDocument,
  register,
  registerEphemeral,
  readOwnAgent,
  changeOwnAgent,
  rotateKey,
  deleteOwnAgent,
  readLinkAccess,
  setLinkAccess,
  shareLink,
  makeLink,
  listLinks,
  revokeLink,
  giveAccess,
  listAccess,
  takeAccess,
  ...shortLinkJson,
  ...shortLinkMarkdown,
  ...followShortLink,
  confirmByButton,
  confirmShortLink,
  becomeGuest,
  whoAmI,
  changeAccount,
  endAccount,
  attestOrigin,
  becomeGuestOfDocument,
  logOut,
  signUp,
  signIn,
  resetPassword,
  signInWays,
  listSessions,
  endSession,
  answerGuestDocuments,
  leaveForProvider,
  comeFromProvider,
  ...listDeliveries,
  ...redeliver,
  ...replayDeliveries,
  ...testWebhook,
  listOwnedAgents,
  readOwnedAgent,
  deleteOwnedAgent,
  makeOwnerKey,
  listOwnerKeys,
  revokeOwnerKey,
  readWorkspace,
  addMember,
  removeMember,
  makeBot,
  changeBot,
  deleteBot,
  readContext,
  searchLibrary,
  ownBundle,
  bundleOfGrant,
  makeFolder,
  changeFolder,
  deleteFolder,
  placeDocument,
  readLibrary,
  readShared,
  claimDocument,
  giveBackDocument,
  readOwnership,
  offerDocument,
  withdrawOffer,
  acceptDocument,
  openHome,
  openAccount,
  openReset,
  openDocument,
  pageAsset,
  pageIcon,
  pageWorker,
  ...referenceRoutes(() => routes),
  health,
  readiness,
  metrics,
]
