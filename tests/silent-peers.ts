/** Live editors and followers that ignore what they are told, for tests to lay their own over. */
import type { ConnectRequest, Follower, LivePeer, Writer } from '../core/documents/contract.ts'
import { sources } from './sources.ts'

const nothing = () => undefined

export const silentFollower: Follower = {
  onCurrent: nothing,
  onChange: nothing,
  onClose: nothing,
}

export const silentPeer: LivePeer = {
  ...silentFollower,
  onUpdate: nothing,
  onProvenance: nothing,
  onSaved: nothing,
  onWrite: nothing,
  onBegun: nothing,
  onReading: nothing,
}

/** Somebody without a name, who only reads. */
export const observing: ConnectRequest = {
  events: false,
  knowsEpoch: true,
  access: { role: 'viewer', actor: undefined, writer: undefined, holder: 'observer', sources },
}

/** A writer on a credential of its own, who hears JSON events and has been here before. */
export function editing(writer: Writer): ConnectRequest {
  const { actor } = writer
  const access = { role: 'editor', actor, writer, holder: actor, sources } as const
  return { events: true, knowsEpoch: true, access }
}
