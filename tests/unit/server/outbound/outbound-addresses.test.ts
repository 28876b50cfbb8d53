/**
 * Outgoing requests go to public addresses only (extensions §6): whatever an address is spelled
 * like, and whatever its name resolves to.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AddressPolicy, isRange } from '../../../../core/outbound/address-policy.ts'
import { notPublic } from '../../../../core/outbound/outbound.ts'
import { hostsIn, type LookUp } from '../../../../server/outbound/look-up.ts'
import { openOutbound } from '../../../../server/outbound/outbound.ts'
import { systemRuntime } from '../../../../server/runtime.ts'
import { open, post } from './outbound-desk.ts'

const outbound = open()

const refused: readonly (readonly [what: string, url: string])[] = [
  ['loopback', 'http://127.0.0.1/'],
  ['loopback beyond its first address', 'http://127.255.255.254/'],
  ['IPv4 as one decimal number', 'http://2130706433/'],
  ['IPv4 as one hexadecimal number', 'http://0x7f000001/'],
  ['IPv4 as one octal number', 'http://017700000001/'],
  ['IPv4 in octal parts', 'http://0177.0.0.1/'],
  ['IPv4 in hexadecimal parts', 'http://0x7f.0x0.0x0.0x1/'],
  ['IPv4 in mixed parts', 'http://0x7f.1/'],
  ['IPv4 in two parts', 'http://127.1/'],
  ['IPv4 in three parts', 'http://127.0.1/'],
  ['IPv4 in percent encoding', 'http://%31%32%37.0.0.1/'],
  ['IPv4 in full-width digits', 'http://１２７.０.０.１/'],
  ['IPv4 in enclosed digits', 'http://①②⑦.0.0.1/'],
  ['IPv4 with a trailing dot', 'http://127.0.0.1./'],
  ['IPv4 with a port', 'http://127.0.0.1:6379/'],
  ['this network', 'http://0.0.0.0/'],
  ['this network as a number', 'http://0/'],
  ['within this network', 'http://0.1.2.3/'],
  ['private use 10/8', 'http://10.1.2.3/'],
  ['private use 10/8 as a number', 'http://167837955/'],
  ['private use 172.16/12, first', 'http://172.16.0.1/'],
  ['private use 172.16/12, last', 'http://172.31.255.255/'],
  ['private use 192.168/16', 'http://192.168.0.1/'],
  ['shared address space', 'http://100.64.0.1/'],
  ['link local', 'http://169.254.1.1/'],
  ['the metadata service of clouds', 'http://169.254.169.254/latest/meta-data/'],
  ['the metadata service as a number', 'http://2852039166/'],
  ['the metadata service of ECS tasks', 'http://169.254.170.2/v2/credentials'],
  ['the metadata service of Alibaba', 'http://100.100.100.200/latest/meta-data/'],
  ['the metadata service of Oracle', 'http://192.0.0.192/opc/v2/'],
  ['IETF protocol assignments', 'http://192.0.0.8/'],
  ['documentation 192.0.2/24', 'http://192.0.2.1/'],
  ['documentation 198.51.100/24', 'http://198.51.100.1/'],
  ['documentation 203.0.113/24', 'http://203.0.113.1/'],
  ['6to4 relay anycast', 'http://192.88.99.1/'],
  ['benchmarking', 'http://198.18.0.1/'],
  ['multicast', 'http://224.0.0.1/'],
  ['multicast, last', 'http://239.255.255.250:1900/'],
  ['reserved', 'http://240.0.0.1/'],
  ['limited broadcast', 'http://255.255.255.255/'],
  ['IPv6 loopback', 'http://[::1]/'],
  ['IPv6 loopback written out', 'http://[0:0:0:0:0:0:0:1]/'],
  ['the unspecified address', 'http://[::]/'],
  ['IPv4-mapped loopback', 'http://[::ffff:127.0.0.1]/'],
  ['IPv4-mapped loopback in hexadecimal', 'http://[::ffff:7f00:1]/'],
  ['IPv4-mapped public address', 'http://[::ffff:93.184.215.14]/'],
  ['IPv4-compatible loopback', 'http://[::127.0.0.1]/'],
  ['IPv4-translated', 'http://[::ffff:0:127.0.0.1]/'],
  ['NAT64 of loopback', 'http://[64:ff9b::7f00:1]/'],
  ['NAT64 of the metadata service', 'http://[64:ff9b::a9fe:a9fe]/'],
  ['NAT64 of a local prefix', 'http://[64:ff9b:1::1]/'],
  ['discard only', 'http://[100::1]/'],
  ['6to4 of loopback', 'http://[2002:7f00:1::]/'],
  ['6to4 of a private network', 'http://[2002:a00:1::1]/'],
  ['Teredo', 'http://[2001::1]/'],
  ['Teredo with a server', 'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['ORCHID', 'http://[2001:20::1]/'],
  ['IPv6 benchmarking', 'http://[2001:2::1]/'],
  ['IPv6 documentation', 'http://[2001:db8::1]/'],
  ['IPv6 documentation, newer', 'http://[3fff::1]/'],
  ['SRv6 segment identifiers', 'http://[5f00::1]/'],
  ['unique local', 'http://[fd00::1]/'],
  ['unique local, first half', 'http://[fc00::1]/'],
  ['the metadata service of AWS in IPv6', 'http://[fd00:ec2::254]/'],
  ['IPv6 link local', 'http://[fe80::1]/'],
  ['site local', 'http://[fec0::1]/'],
  ['IPv6 multicast', 'http://[ff02::1]/'],
  ['unassigned IPv6', 'http://[4000::1]/'],
  ['localhost', 'http://localhost/'],
  ['localhost with a trailing dot', 'http://localhost./'],
  ['localhost in capitals', 'http://LOCALHOST/'],
  ['a name below localhost', 'http://app.localhost/'],
  ['a name that leads into a private network', 'http://private.example/'],
  ['a name with a trailing dot', 'http://private.example./'],
  ['a name with several addresses of which one is private', 'http://mixed.example/'],
  ['a name whose IPv6 address is private', 'http://mixed6.example/'],
  ['a name whose address is mapped', 'http://mapped.example/'],
  ['a name whose address has a zone', 'http://zone.example/'],
  ['a name whose address is none', 'http://odd.example/'],
]

test('there are at least 70 named cases', () => {
  assert.ok(refused.length >= 70, String(refused.length))
  assert.is(new Set(refused.map(([what]) => what)).size, refused.length)
})

for (const [what, url] of refused) {
  test(`refused when it is set and when it is sent to: ${what}`, async () => {
    assert.is(await outbound.problem(url), notPublic)
    const sent = await post(url, outbound)
    assert.is(sent.kind, 'failed')
    assert.is(sent.kind === 'failed' && sent.error, `the address ${notPublic}`)
  })
}

const notAddresses: readonly (readonly [what: string, url: string])[] = [
  ['a zone id', 'http://[fe80::1%25eth0]/'],
  ['another scheme', 'ftp://public.example/'],
  ['a file', 'file:///etc/passwd'],
  ['gopher', 'gopher://127.0.0.1:6379/_SET'],
  ['data', 'data:text/plain,x'],
  ['a user', 'http://user@public.example/'],
  ['a password', 'http://user:secret@public.example/'],
  ['a user that looks like the host', 'http://public.example@127.0.0.1/'],
  ['no host', 'http:///'],
  ['an IPv4 part that is too large', 'http://256.256.256.256/'],
  ['a path alone', '/hook'],
  ['too many characters', `http://public.example/${'x'.repeat(2_048)}`],
]

for (const [what, url] of notAddresses) {
  test(`not an address to send to: ${what}`, async () => {
    const problem = await outbound.problem(url)
    assert.ok(problem !== undefined && problem !== notPublic, problem)
  })
}

test('public addresses are not refused, nor is a name that does not resolve', async () => {
  const policy = new AddressPolicy()
  for (const address of ['93.184.215.14', '1.1.1.1', '223.255.255.255', '2606:4700::1111']) {
    assert.ok(policy.allows(address), address)
  }
  assert.is(await outbound.problem('http://public.example/hook'), undefined)
  assert.is(await outbound.problem('http://none.example/'), undefined)
  const failing: LookUp = async () => {
    throw Object.assign(new Error(), { code: 'ENOTFOUND' })
  }
  assert.is(await open({}, failing).problem('http://nowhere.example/'), undefined)
  const sent = await post('http://nowhere.example/', open({}, failing))
  assert.is(sent.kind === 'failed' && sent.error, 'the name does not resolve (ENOTFOUND)')
})

test('a name that is not answered in time is accepted when it is set', async () => {
  const silent: LookUp = () => new Promise(() => {})
  const quick = {
    ...systemRuntime,
    after: (_ms: number, then: () => void) => systemRuntime.after(1, then),
  }
  const waiting = openOutbound({ runtime: quick, policy: new AddressPolicy(), lookUp: silent })
  assert.is(await waiting.problem('http://silent.example/'), undefined)
  const sent = await post('http://silent.example/', waiting)
  assert.is(sent.kind === 'failed' && sent.error, 'no answer within 2000 ms')
})

test('OUTBOUND_ALLOW adds ranges, WEBHOOK_ALLOW_PRIVATE every address', () => {
  const some = new AddressPolicy({ allow: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1/32'] })
  for (const address of ['10.1.255.1', 'fd12::1', '127.0.0.1']) assert.ok(some.allows(address))
  for (const address of ['10.2.0.1', 'fc00::1', '127.0.0.2', 'fe80::1']) {
    assert.not(some.allows(address), address)
  }
  const all = new AddressPolicy({ allowPrivate: true })
  for (const address of ['10.2.0.1', '::1', '0.0.0.0']) assert.ok(all.allows(address))
  for (const text of [
    '',
    'x',
    '10.1.0.0',
    '10.1.0.0/33',
    'fd00::/129',
    '10.1.0.0/-1',
    '::1%lo/8',
  ]) {
    assert.not(isRange(text), text)
    assert.throws(() => new AddressPolicy({ allow: [text] }), TypeError)
  }
})

test('names of the hosts file are answered from it, in any case', () => {
  const hosts = hostsIn(
    '127.0.0.1 localhost # me\n10.0.0.7\tdb DB.internal\n::1 db\n# x\nbad line\n',
  )
  assert.equal(
    [...hosts],
    [
      ['localhost', ['127.0.0.1']],
      ['db', ['10.0.0.7', '::1']],
      ['db.internal', ['10.0.0.7']],
    ],
  )
})

test.run()
