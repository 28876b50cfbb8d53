/** The one list of routes: what is mounted, documented and tested. */
import type { Route } from '../route.ts'
import { identify, register } from './agents.ts'
import { createDocument } from './create-document.ts'
import { openDocument, openHome, pageAsset } from './page.ts'
import { patchDocument } from './patch-document.ts'
import { readBlock } from './read-block.ts'
import { readDocument } from './read-document.ts'
import { health, metrics, readiness, referenceRoutes } from './service.ts'
import { connectChanges, connectLive } from './sockets.ts'

export const routes: readonly Route[] = [
  createDocument,
  readDocument,
  readBlock,
  connectChanges,
  connectLive,
  patchDocument,
  identify,
  register,
  openHome,
  openDocument,
  pageAsset,
  ...referenceRoutes(() => routes),
  health,
  readiness,
  metrics,
]
