/** The one list of routes: what is mounted, documented and tested. */
import type { Route } from '../route.ts'
import { giveAccess, listAccess, takeAccess } from './access.ts'
import { attestOrigin, becomeGuest, becomeGuestOfDocument, logOut, whoAmI } from './accounts.ts'
import { readContext, searchLibrary } from './agent-library.ts'
import { identify, register, registerEphemeral } from './agents.ts'
import { archive, archiveByDelete, deleteForever, readArchive, restore } from './archive.ts'
import {
  pictureArtifact,
  readArtifact,
  readArtifactMeta,
  readPoster,
  uploadArtifact,
} from './artifacts.ts'
import { bundleOfGrant, ownBundle } from './bundles.ts'
import { deleteComment, editComment, makeComment, readTombstones } from './comments.ts'
import { createDocument } from './create-document.ts'
import { readFeedbackImage, reportFeedback, uploadFeedbackImage } from './feedback.ts'
import { changeFolder, deleteFolder, makeFolder, placeDocument } from './folders.ts'
import { nameRevision, readDiff, readHistory, readLog, readSince } from './history.ts'
import { deleteImage, readImage, uploadImage } from './images.ts'
import {
  acknowledgeAsAgent,
  acknowledgeAsPerson,
  muteDocument,
  muteThread,
  readAgentInbox,
  readInboxOfPerson,
  readMentionable,
} from './inbox.ts'
import { joinDocument } from './joining.ts'
import { readLibrary, readShared } from './library.ts'
import { readLinkAccess, setLinkAccess } from './link-access.ts'
import { listLinks, makeLink, revokeLink } from './links.ts'
import { readLiveState } from './live-state.ts'
import { comeFromProvider, leaveForProvider } from './oidc.ts'
import {
  answerGuestDocuments,
  changeAccount,
  endAccount,
  endSession,
  listSessions,
} from './own-account.ts'
import { changeOwnAgent, deleteOwnAgent, readOwnAgent, rotateKey } from './own-agent.ts'
import { deleteOwnedAgent, listOwnedAgents } from './owned-agents.ts'
import { listOwnerKeys, makeOwnerKey, revokeOwnerKey } from './owner-keys.ts'
import {
  acceptDocument,
  claimDocument,
  giveBackDocument,
  offerDocument,
  readOwnership,
  withdrawOffer,
} from './ownership.ts'
import {
  openAccount,
  openDocument,
  openHome,
  openReset,
  pageAsset,
  pageIcon,
  pageWorker,
} from './page.ts'
import { patchDocument } from './patch-document.ts'
import { readActors } from './read-actors.ts'
import { readBlock } from './read-block.ts'
import { readDocument } from './read-document.ts'
import { readThreads } from './read-threads.ts'
import { revertDocument } from './revert.ts'
import { health, metrics, readiness, referenceRoutes } from './service.ts'
import { setSettings } from './settings.ts'
import {
  confirmByButton,
  confirmShortLink,
  followShortLink,
  shareLink,
  shortLinkJson,
  shortLinkMarkdown,
} from './short-links.ts'
import { resetPassword, signIn, signInWays, signUp } from './sign-in.ts'
import { connectChanges, connectLive } from './sockets.ts'
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
} from './threads.ts'
import {
  listDeliveries,
  readOwnedAgent,
  redeliver,
  replayDeliveries,
  testWebhook,
} from './webhooks.ts'
import {
  addMember,
  changeBot,
  deleteBot,
  makeBot,
  readWorkspace,
  removeMember,
} from './workspace.ts'

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
