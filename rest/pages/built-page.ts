/**
 * The browser page as it was built: its HTML and its hashed files, read from one directory. It
 * is looked at anew for each request, so that a build needs no restart. Only plain names are looked
 * for, so no address leads out of the directory.
 */
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Refusal } from '../../schema/errors.ts'

const types: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** The forms that a build may have left beside a file, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

/** No file system takes a name much longer; behind it comes a suffix. */
const fileName = /^[\w-][\w.-]{0,199}$/

export interface Asset {
  readonly bytes: Uint8Array
  readonly type: string
  /** `Content-Encoding`; `undefined`: the file as it is. */
  readonly encoding: string | undefined
}

/** Of a document, or of any other address. */
export type Face = 'document' | 'home'

/**
 * The HTML: `index.html`, which does for both where there is no `home.html`. Refuses UNAVAILABLE
 * when there is no build.
 */
export async function readHtml(directory: string, face: Face): Promise<string> {
  for (const name of face === 'home' ? ['home.html', 'index.html'] : ['index.html']) {
    const bytes = await fileAt(join(directory, name))
    if (bytes !== undefined) return bytes.toString()
  }
  throw new Refusal('UNAVAILABLE', {}, 'The page has not been built: run npm run build.')
}

/** A file right in this directory, in the best form the caller takes; `undefined`: there is none. */
export async function readAsset(
  directory: string,
  name: string,
  acceptEncoding: string | undefined,
): Promise<Asset | undefined> {
  const type = types[extname(name)]
  if (type === undefined || !fileName.test(name)) return undefined
  const path = join(directory, name)
  for (const encoding of encodings) {
    if (!accepts(acceptEncoding, encoding.name)) continue
    const bytes = await fileAt(path + encoding.suffix)
    if (bytes !== undefined) return { bytes, type, encoding: encoding.name }
  }
  const bytes = await fileAt(path)
  return bytes && { bytes, type, encoding: undefined }
}

async function fileAt(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
    throw error
  }
}

function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return name === encoding && !isRefused
  })
}
