/**
 * The two websocket addresses (interface §6), declared so that they are documented and refused like
 * every other route. The upgrade itself never comes here: the socket layer takes it before.
 */
import { Refusal } from '../../schema/errors.ts'
import { documentRoute } from '../route.ts'

const upgradeOnly = () => Promise.reject(new Refusal('UPGRADE_REQUIRED'))

export const connectChanges = documentRoute(
  'GET /docs/:slug/changes/connect',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Follow revisions over a WebSocket',
    description:
      'JSON text frames: `ready` on connect, `doc_changed` for newer revisions, `pong` for ' +
      '`ping`. A client that cannot set headers can send its document token as `?token=`.',
    access: 'read',
    credentialRequired: true,
    success: { status: 101 },
    errors: ['UPGRADE_REQUIRED'],
  },
  upgradeOnly,
)

export const connectLive = documentRoute(
  'GET /docs/:slug/live',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Edit live over a WebSocket',
    extension: true,
    description:
      'The y-websocket protocol in binary frames. The credential is a Bearer header or the ' +
      'subprotocol pair `yjs`, `bearer.<token>`.',
    access: 'read',
    credentialRequired: true,
    success: { status: 101 },
    errors: ['UPGRADE_REQUIRED'],
  },
  upgradeOnly,
)
