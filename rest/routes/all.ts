/** The one list of routes: what is mounted, documented and tested. */
import type { Route } from '../route.ts'
import { becomeGuest, claimDocument, logOut, whoAmI } from './accounts.ts'
import { identify, register } from './agents.ts'
import { createDocument } from './create-document.ts'
import { readLinkAccess, setLinkAccess } from './link-access.ts'
import { comeFromProvider, leaveForProvider } from './oidc.ts'
import {
  answerGuestDocuments,
  changeAccount,
  endAccount,
  endSession,
  listSessions,
} from './own-account.ts'
import { openDocument, openHome, openReset, pageAsset, pageIcon, pageWorker } from './page.ts'
import { patchDocument } from './patch-document.ts'
import { readActors } from './read-actors.ts'
import { readBlock } from './read-block.ts'
import { readDocument } from './read-document.ts'
import { health, metrics, readiness, referenceRoutes } from './service.ts'
import {
  confirmShortLink,
  followShortLink,
  shareLink,
  shortLinkJson,
  shortLinkMarkdown,
} from './short-links.ts'
import { resetPassword, signIn, signInWays, signUp } from './sign-in.ts'
import { connectChanges, connectLive } from './sockets.ts'

export const routes: readonly Route[] = [
  createDocument,
  readDocument,
  readBlock,
  readActors,
  connectChanges,
  connectLive,
  patchDocument,
  identify,
  register,
  readLinkAccess,
  setLinkAccess,
  shareLink,
  shortLinkJson,
  ...shortLinkMarkdown,
  followShortLink,
  confirmShortLink,
  becomeGuest,
  whoAmI,
  changeAccount,
  endAccount,
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
  claimDocument,
  openHome,
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
