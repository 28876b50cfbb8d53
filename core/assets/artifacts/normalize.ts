/**
 * One HTML file made self-contained (interface §4.8): parsed as a browser would, without what
 * loads or leads elsewhere by itself, written anew. What it says of its size and title is read.
 * That its scripts reach nothing is not decided here but by the policy it is served under. Costly
 * for hostile HTML: to be run where it can be stopped.
 */
import { parse, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { withoutFetches } from './css.ts'

export interface Normalized {
  readonly html: string
  readonly title: string
  /** CSS pixels. */
  readonly width: number
  readonly height: number
}

/** As deep as browsers nest elements. */
const maxDepth = 512
const defaultWidth = 720
const defaultHeight = 450
const titleMaxChars = 200

const takenOff: ReadonlySet<string> = new Set([
  ...['base', 'link', 'iframe', 'frame', 'frameset', 'noframes', 'object', 'embed', 'applet'],
  ...['portal', 'fencedframe'],
])
const scriptsTakenOff: ReadonlySet<string> = new Set(['importmap', 'speculationrules'])
const attributesTakenOff: ReadonlySet<string> = new Set([
  ...['srcdoc', 'ping', 'action', 'formaction', 'manifest', 'background', 'attributionsrc'],
])
/** Whose value has to be in the file itself. */
const fetched: ReadonlySet<string> = new Set(['src', 'srcset', 'poster', 'data', 'imagesrcset'])
const isWithin = (address: string): boolean => /^\s*(?:data:|blob:|#)/i.test(address)

/**
 * `undefined`: it is nested more deeply than browsers do, or is never read as it was written, as
 * little of HTML is.
 */
export function normalize(source: string): Normalized | undefined {
  let found = pass(source)
  for (let passes = 1; found !== undefined && passes < maxPasses; passes++) {
    const again = pass(found.html)
    if (again?.html === found.html) return found
    found = again
  }
  return undefined
}

/** What it is written as may be read as something else, from which more has to go. */
const maxPasses = 4

function pass(source: string): Normalized | undefined {
  const document = parse(source)
  if (!tidy(document)) return undefined
  const hints = hintsOf(document)
  return {
    html: `<!DOCTYPE html>${serialize(withoutDoctype(document))}`,
    title: hints.title,
    width: hints.width ?? defaultWidth,
    height: hints.height ?? defaultHeight,
  }
}

function withoutDoctype(document: Tree.Document): Tree.Document {
  document.childNodes = document.childNodes.filter((node) => node.nodeName !== '#documentType')
  return document
}

const isParent = (node: Tree.Node): node is Tree.ParentNode => 'childNodes' in node
const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node
const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text'

/** False: it is too deep. */
function tidy(document: Tree.Document): boolean {
  let level: Tree.ParentNode[] = [document]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false
    const next: Tree.ParentNode[] = []
    for (const parent of level) {
      parent.childNodes = keptOf(parent.childNodes)
      for (const node of parent.childNodes) {
        if (!isElement(node)) continue
        node.attrs = keptAttributes(node)
        if (node.tagName === 'style') tidyStyle(node)
        if (isParent(node)) next.push(node)
        if ('content' in node) next.push(node.content)
      }
    }
    level = next
  }
  return true
}

/** A form's own children stay where it was. */
function keptOf(nodes: readonly Tree.ChildNode[]): Tree.ChildNode[] {
  const kept: Tree.ChildNode[] = []
  const waiting = [...nodes].reverse()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isElement(node) && node.tagName === 'form') waiting.push(...[...node.childNodes].reverse())
    else if (!isElement(node) || !isTakenOff(node)) kept.push(node)
  }
  return kept
}

const attributeOf = ({ attrs }: Tree.Element, name: string): string | undefined =>
  attrs.find((one) => one.name === name)?.value

function isTakenOff(element: Tree.Element): boolean {
  const { tagName } = element
  if (takenOff.has(tagName)) return true
  if (tagName === 'meta') return attributeOf(element, 'http-equiv') !== undefined
  if (tagName !== 'script') return false
  const type = (attributeOf(element, 'type') ?? '').trim().toLowerCase()
  return scriptsTakenOff.has(type) || element.attrs.some(({ name }) => /^(?:src|href)$/.test(name))
}

function keptAttributes({ tagName, attrs }: Tree.Element): Tree.Element['attrs'] {
  const leads = tagName === 'a' || tagName === 'area'
  return attrs
    .filter(({ name }) => !attributesTakenOff.has(name))
    .filter(({ name, value }) => {
      const loads = fetched.has(name) || (name === 'href' && !leads)
      return !loads || isWithin(value)
    })
    .map((one) => (one.name === 'style' ? { ...one, value: withoutFetches(one.value) } : one))
}

function tidyStyle({ childNodes }: Tree.Element): void {
  for (const node of childNodes) if (isText(node)) node.value = withoutFetches(node.value)
}

interface Hints {
  readonly title: string
  readonly width: number | undefined
  readonly height: number | undefined
}

function hintsOf(document: Tree.Document): Hints {
  let title: string | undefined
  const hints = new Map<string, number>()
  const waiting: Tree.Node[] = [document]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isElement(node) && node.tagName === 'title') title ??= textOf(node)
    if (isElement(node) && node.tagName === 'meta') {
      const name = attributeOf(node, 'name')?.trim().toLowerCase() ?? ''
      const pixels = pixelsOf(attributeOf(node, 'content'))
      if (pixels !== undefined && !hints.has(name)) hints.set(name, pixels)
    }
    if (isParent(node)) waiting.push(...[...node.childNodes].reverse())
  }
  return {
    title: title ?? '',
    width: hints.get('artifact-width'),
    height: hints.get('artifact-height'),
  }
}

const textOf = ({ childNodes }: Tree.Element): string => {
  const text = childNodes.map((node) => (isText(node) ? node.value : '')).join('')
  return [...text.replace(/\s+/g, ' ').trim()].slice(0, titleMaxChars).join('')
}

/** A whole number from 100 to 4000 (interface §8). */
function pixelsOf(content: string | undefined): number | undefined {
  const pixels = /^\s*\d{3,4}\s*$/.test(content ?? '') ? Number(content) : Number.NaN
  return pixels >= 100 && pixels <= 4000 ? pixels : undefined
}
