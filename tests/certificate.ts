/**
 * A key and a self-signed certificate for `localhost`, made anew for each run: no key lies in the
 * repository. X.509 in DER (RFC 5280), as little of it as a TLS server needs.
 */
import { generateKeyPairSync, sign } from 'node:crypto'

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const oid = (...bytes: readonly number[]) => der(0x06, Buffer.from(bytes))
const time = (at: Date) =>
  der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes)

export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
  const commonName = sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('localhost')))
  const name = sequence(der(0x31, commonName))
  const day = 24 * 3_600_000
  const names = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  )
  const alternatives = sequence(oid(0x55, 0x1d, 0x11), der(0x04, names))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternatives)),
  )
  const certificate = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
