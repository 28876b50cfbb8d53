/**
 * Handles of bundles (interface §2.1, §4.11): what an agent has by one grant, named so that nobody
 * else can name it. Nothing is kept of them: a handle says what it is for, under the service's key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isSlug } from '../../schema/ids.ts'
import type { SecretKey } from '../records/secrets.ts'
import type { ContextScope } from './agent-context.ts'

const macBytes = 16

function mac(key: SecretKey, agentId: string, named: string): Buffer {
  const text = `bundle:${agentId}:${named}`
  return createHmac('sha256', key).update(text).digest().subarray(0, macBytes)
}

export function bundleHandle(key: SecretKey, agentId: string, scope: ContextScope): string {
  const named = `${scope.kind}:${scope.kind === 'share' ? scope.slug : scope.containerId}`
  return `bnd_${Buffer.concat([mac(key, agentId, named), Buffer.from(named)]).toString('base64url')}`
}

/** `undefined`: it is no handle of this agent. */
export function scopeOfHandle(
  key: SecretKey,
  agentId: string,
  handle: string,
): ContextScope | undefined {
  if (!handle.startsWith('bnd_')) return undefined
  const bytes = Buffer.from(handle.slice('bnd_'.length), 'base64url')
  const named = bytes.subarray(macBytes).toString()
  const given = bytes.subarray(0, macBytes)
  if (given.length !== macBytes || !timingSafeEqual(given, mac(key, agentId, named))) {
    return undefined
  }
  // In other letters it is none.
  if (bytes.toString('base64url') !== handle.slice('bnd_'.length)) return undefined
  const [kind, id = ''] = named.split(':')
  if (kind === 'share') return isSlug(id) ? { kind, slug: id } : undefined
  return kind === 'team' || kind === 'brain' ? { kind, containerId: id } : undefined
}
