/**
 * Where in the sources an error came from. The service runs as one bundled file, whose map is read
 * when the first error is told and not at each start: Node's own `--enable-source-maps` parses the
 * whole of it before a line runs.
 */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, SourceMap | undefined>()

/** Undefined: it has none; it was not bundled. */
function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`))
  return maps.get(file)
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // The error that is to be told matters more than its places.
    return undefined
  }
}

/** The stack with each place in a bundle as the place in its source, from the working directory. */
export function inSources(stack: string): string {
  return stack.replace(
    /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g,
    (place, url: string, line: string, column: string) => {
      const file = fileURLToPath(url)
      const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
      if (entry === undefined || !('originalSource' in entry)) return place
      const source = relative(process.cwd(), resolve(dirname(file), entry.originalSource))
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    },
  )
}
