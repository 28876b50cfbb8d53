/** The one list of routes: what is mounted, documented and tested. */
import type { Route } from '../route.ts'
import { becomeGuest, claimDocument, logOut, whoAmI } from './accounts.ts'
import { identify, register } from './agents.ts'
import { archive, archiveByDelete, readArchive, restore } from './archive.ts'
import { createDocument } from './create-document.ts'
import { readLinkAccess, setLinkAccess } from './link-access.ts'
import { openDocument, openHome, pageAsset, pageIcon, pageWorker } from './page.ts'
import { patchDocument } from './patch-document.ts'
import { readActors } from './read-actors.ts'
import { readBlock } from './read-block.ts'
import { readDocument } from './read-document.ts'
import { health, metrics, readiness, referenceRoutes } from './service.ts'
import { setSettings } from './settings.ts'
import {
  confirmShortLink,
  followShortLink,
  shareLink,
  shortLinkJson,
  shortLinkMarkdown,
} from './short-links.ts'
import { connectChanges, connectLive } from './sockets.ts'

export const routes: readonly Route[] = [
  createDocument,
  readDocument,
  readBlock,
  readActors,
  connectChanges,
  connectLive,
  patchDocument,
  setSettings,
  archive,
  restore,
  readArchive,
  archiveByDelete,
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
  logOut,
  claimDocument,
  openHome,
  openDocument,
  pageAsset,
  pageIcon,
  pageWorker,
  ...referenceRoutes(() => routes),
  health,
  readiness,
  metrics,
]
