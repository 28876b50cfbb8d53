/** Outgoing requests with names as a hostile DNS server answers them. */
import { AddressPolicy, type AddressRules } from '../../../../core/outbound/address-policy.ts'
import type { Outbound } from '../../../../core/outbound/outbound.ts'
import { type LookUp, systemLookUp } from '../../../../server/outbound/look-up.ts'
import { openOutbound } from '../../../../server/outbound/outbound.ts'
import { systemRuntime } from '../../../../server/runtime.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.5'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'mixed6.example': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'fd00::1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'none.example': [],
  'odd.example': ['not an address'],
  'zone.example': ['fe80::1%eth0'],
}

const lookUp: LookUp = async (host) => {
  const name = host.replace(/\.$/, '')
  return names[name] ?? systemLookUp()(host)
}

export const open = (rules: AddressRules = {}, by: LookUp = lookUp) =>
  openOutbound({ runtime: systemRuntime, policy: new AddressPolicy(rules), lookUp: by })

export const post = (url: string, using: Outbound) =>
  using.post({ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 2_000 })
