/**
 * What strangers can send, route by route, as something that can be made of any size: fields that
 * are looked for in a document, markdown, front matter, JSON, files, live updates. Each input is
 * prepared on a document of its own, so that only the request itself is measured.
 */

import * as Y from 'yjs'
import { normalize } from '../../../core/assets/artifacts/normalize.ts'
import { commentMaxBytes } from '../../../rest/comments/comment-rules.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { frontMatterMaxChars } from '../../../schema/markdown/front-matter.ts'
import { readState } from '../../../schema/presence-state.ts'
import { gif, gifXmp, jpeg, jpegSegment, png, pngChunk } from '../../pictures.ts'
import { LiveDesk } from '../../unit/core/documents/live/live-desk.ts'
import type { Call, TestService } from '../../unit/rest/service.ts'
import type { Fields } from '../../unit/rest/sharing/sharing-scene.ts'
import type { Prepare } from './growth.ts'
import type { Dialect, NearMiss, Pattern } from './patterns.ts'

export interface Scene {
  readonly service: TestService
  /** The secret of a registered agent. */
  readonly agent: string
}

interface Bounds {
  readonly name: string
  /** The largest size that is tried. */
  readonly most: number
  /** It works in a thread of its own, which is ended when it takes long. */
  readonly isApart?: true
}

/** An input made by a pattern of a dialect. */
export interface TextInput extends Bounds {
  readonly dialect: Dialect
  prepare(scene: Scene, pattern: Pattern): Prepare
}

/** An input that is searched in a text. */
export interface SoughtInput extends Bounds {
  prepare(scene: Scene, near: NearMiss): Prepare
}

/** A document of this text; where the service refuses it, of another. */
async function documentOf(service: TestService, markdown: string) {
  const body = { markdown }
  const { status } = await service.call('POST', '/docs', { body })
  return service.create(status === 201 ? markdown : small, 'Ann')
}

const inDocument =
  (scene: Scene, markdown: (size: number) => string) =>
  (then: (made: { slug: string; token: string }, size: number) => Call & { path: string }) =>
  async (size: number) => {
    const document = await documentOf(scene.service, markdown(size))
    const { path, ...call } = then(document, size)
    const method = call.body === undefined && call.raw === undefined ? 'GET' : 'POST'
    return () => scene.service.call(path.startsWith('PATCH ') ? 'PATCH' : method, bare(path), call)
  }

const bare = (path: string): string => path.replace(/^[A-Z]+ /, '')

const small = '# Title\n\nsome words here\n'
const text = 64 * 1024

/** Whole pictures with so many parts that are looked at and taken off. */
const pictures: Readonly<Record<string, (parts: number, data: Buffer) => Buffer>> = {
  'image/png': (parts, data) => png(...Array.from({ length: parts }, () => pngChunk('teXt', data))),
  'image/jpeg': (parts, data) => jpeg(Array.from({ length: parts }, () => jpegSegment(0xfe, data))),
  'image/gif': (parts) => gif(...Array.from({ length: parts }, () => gifXmp('x'))),
}

export const textInputs: readonly TextInput[] = [
  {
    name: 'POST /docs markdown',
    dialect: 'markdown',
    most: text,
    prepare:
      ({ service }, pattern) =>
      async (size) => {
        const body = { markdown: pattern.text(size) }
        return () => service.call('POST', '/docs', { body })
      },
  },
  {
    name: 'PATCH new_string',
    dialect: 'markdown',
    most: text,
    prepare: (scene, pattern) =>
      inDocument(
        scene,
        () => small,
      )(({ slug, token }, size) => {
        const edits = [{ old_string: 'words', new_string: pattern.text(size) }]
        return { path: `PATCH /docs/${slug}`, token, body: { edits } }
      }),
  },
  {
    name: 'PATCH a word of a hard document',
    dialect: 'markdown',
    most: text,
    prepare: (scene, pattern) =>
      inDocument(
        scene,
        (size) => `${small}\n${pattern.text(size)}`,
      )(({ slug, token }) => {
        const edits = [{ old_string: 'some words here', new_string: 'other words there' }]
        return { path: `PATCH /docs/${slug}`, token, body: { edits } }
      }),
  },
  {
    name: 'PATCH replace_document',
    dialect: 'markdown',
    most: text,
    prepare: (scene, pattern) =>
      inDocument(scene, (size) => pattern.text(size))(({ slug, token }, size) => {
        const body = { base_revision: 1, replace_document: `x ${pattern.text(size)} y` }
        return { path: `PATCH /docs/${slug}`, token, body }
      }),
  },
  {
    name: 'PATCH old_string that is not there',
    dialect: 'markdown',
    most: text,
    prepare: (scene, pattern) =>
      inDocument(scene, (size) => pattern.text(size))(({ slug, token }, size) => {
        const edits = [{ old_string: `x${pattern.text(size / 4)}y`, new_string: 'z' }]
        return { path: `PATCH /docs/${slug}`, token, body: { edits } }
      }),
  },
  {
    name: 'front matter',
    dialect: 'yaml',
    most: frontMatterMaxChars - 64,
    prepare: (scene, pattern) =>
      inDocument(
        scene,
        (size) => `---\na: 1\n${pattern.text(size)}\n---\n\n# T\n`,
      )(({ slug, token }) => ({ path: `/docs/${slug}?format=okf`, token })),
  },
  {
    name: 'front matter that is none',
    dialect: 'yaml',
    most: 4 * text,
    prepare:
      ({ service }, pattern) =>
      async (size) => {
        const body = { markdown: `---\na${pattern.text(size)}:x\n---\n` }
        return () => service.call('POST', '/docs', { body })
      },
  },
  {
    name: 'read of a hard document',
    dialect: 'markdown',
    most: text,
    prepare: (scene, pattern) =>
      inDocument(scene, (size) => pattern.text(size))(({ slug, token }) => {
        const include = 'include=block_quotes&include=authorship&include=manifest'
        return { path: `/docs/${slug}?${include}`, token }
      }),
  },
  {
    name: 'GET diff',
    dialect: 'markdown',
    most: text,
    prepare:
      ({ service }, pattern) =>
      async (size) => {
        const { slug, token } = await documentOf(service, pattern.text(size))
        const body = { base_revision: 1, replace_document: `other\n\n${pattern.text(size)}x` }
        await service.call('PATCH', `/docs/${slug}`, { token, body })
        return () => service.call('GET', `/docs/${slug}/diff?from=1&to=2`, { token })
      },
  },
  {
    name: 'comment text',
    dialect: 'words',
    most: commentMaxBytes / 4,
    prepare: (scene, pattern) =>
      inDocument(
        scene,
        () => small,
      )(({ slug, token }, size) => {
        const body = { quote: 'words', text: `x${pattern.text(size)}` }
        return { path: `/docs/${slug}/comments`, token, body }
      }),
  },
  {
    name: 'suggestion',
    dialect: 'markdown',
    most: text,
    prepare: (scene, pattern) =>
      inDocument(
        scene,
        () => small,
      )(({ slug, token }, size) => {
        const body = { quote: 'words', suggestion: { new_string: pattern.text(size) } }
        return { path: `/docs/${slug}/comments`, token, body }
      }),
  },
  {
    name: 'feedback message',
    dialect: 'words',
    most: commentMaxBytes / 4,
    prepare: (scene, pattern) =>
      inDocument(
        scene,
        () => small,
      )(({ slug, token }, size) => {
        const body = { message: `x${pattern.text(size)}`, kind: 'bug' }
        return { path: `/docs/${slug}/feedback`, token, body }
      }),
  },
  {
    name: 'JSON body',
    dialect: 'json',
    most: 4 * text,
    prepare: (scene, pattern) =>
      inDocument(
        scene,
        () => small,
      )(({ slug, token }, size) => ({
        path: `PATCH /docs/${slug}`,
        token,
        raw: `{"edits":[${pattern.text(size)}`,
        headers: { 'Content-Type': 'application/json' },
      })),
  },
  {
    name: 'artifact',
    dialect: 'html',
    most: text,
    isApart: true,
    prepare: (_, pattern) => async (size) => {
      const html = `<html><body>${pattern.text(size)}`
      return async () => {
        try {
          normalize(html)
        } catch {
          // A refusal is an outcome like others; what counts is its cost.
        }
      }
    },
  },
  {
    name: 'poster with many chunks',
    dialect: 'name',
    most: text,
    prepare:
      ({ service, agent }, pattern) =>
      async (size) => {
        const { slug, token } = await service.create(small, 'Ann')
        const headers = { 'Content-Type': 'text/html' }
        const made = await service.call('POST', `/docs/${slug}/artifacts`, {
          token,
          headers,
          raw: `<html><body>${agent.length}</body></html>`,
        })
        const chunks = Array.from({ length: size / 16 }, () =>
          pngChunk('teXt', Buffer.from(pattern.text(4))),
        )
        const call = { token, headers: { 'Content-Type': 'image/png' }, raw: png(...chunks) }
        return () => service.call('POST', `${made.json['url']}/poster`, call)
      },
  },
  ...Object.entries(pictures).map(
    ([type, made]): TextInput => ({
      name: `${type} with many parts`,
      dialect: 'name',
      most: text,
      prepare:
        ({ service, agent: token }, pattern) =>
        async (size) => {
          const created = await service.call('POST', '/docs', { token, body: { markdown: small } })
          const raw = made(Math.floor(size / 16), Buffer.from(pattern.text(4)))
          const call = { token, headers: { 'Content-Type': type }, raw }
          return () => service.call('POST', `/docs/${created.json['id']}/images`, call)
        },
    }),
  ),
  {
    name: 'what somebody says of themselves to those who are here',
    dialect: 'json',
    most: limits.awarenessStateMaxBytes,
    prepare: (_, pattern) => async (size) => async () => {
      try {
        readState(`{"a":[${pattern.text(size)}`)
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
      }
    },
  },
  {
    name: 'every other character of a live text erased',
    dialect: 'words',
    most: text / 4,
    prepare:
      ({ service }, pattern) =>
      (size) =>
        erasing(service, pattern.text(size)),
  },
  ...(['paragraph', 'code_block', 'front_matter', 'heading'] as const).map(
    (type): TextInput => ({
      name: `typed in a live ${type}, and a key behind it`,
      dialect: type === 'front_matter' ? 'yaml' : 'markdown',
      most: text,
      prepare: (scene, pattern) => (size) => typing(scene, type, pattern.text(size)),
    }),
  ),
]

async function erasing(service: TestService, markdown: string) {
  const { slug } = await documentOf(service, markdown)
  const desk = await new LiveDesk('ann').open(service.documents, slug as Slug)
  return async () => {
    desk.ydoc.transact(() => {
      const block = desk.fragment.get(0)
      const typed = block instanceof Y.XmlElement ? block.get(0) : undefined
      if (!(typed instanceof Y.XmlText)) return
      for (let at = typed.length - 1; at >= 0; at -= 2) typed.delete(at, 1)
    })
    await written(service, slug as Slug, desk)
    desk.session?.leave()
  }
}

async function written(service: TestService, slug: Slug, desk: LiveDesk): Promise<void> {
  while (desk.saved < desk.sent && desk.closed === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await service.documents.read(slug, {})
}

async function typing({ service }: Scene, type: string, typed: string) {
  const { slug } = await service.create('words\n')
  const desk = await new LiveDesk('ann').open(service.documents, slug as Slug)
  return async () => {
    desk.ydoc.transact(() => {
      const block = new Y.XmlElement(type)
      if (type === 'heading') block.setAttribute('level', 1 as unknown as string)
      block.insert(0, [new Y.XmlText(typed)])
      desk.fragment.insert(0, [block])
    })
    await written(service, slug as Slug, desk)
    const block = desk.fragment.get(0) as Y.XmlElement
    ;(block.get(0) as Y.XmlText).insert(0, 'a')
    await written(service, slug as Slug, desk)
    desk.session?.leave()
  }
}

const word = (near: NearMiss, size: number): string => near.needle(size).trim()

export const soughtInputs: readonly SoughtInput[] = [
  {
    name: 'PATCH old_string',
    most: 4 * text,
    prepare: (scene, near) =>
      inDocument(scene, (size) => near.haystack(size * 2))(({ slug, token }, size) => {
        const edits = [{ old_string: word(near, size), new_string: 'z' }]
        return { path: `PATCH /docs/${slug}`, token, body: { edits } }
      }),
  },
  {
    name: 'PATCH after and before',
    most: 4 * text,
    prepare: (scene, near) =>
      inDocument(scene, (size) => near.haystack(size * 2))(({ slug, token }, size) => {
        const edits = [{ after: word(near, size), before: `${word(near, size)}z`, new_string: 'z' }]
        return { path: `PATCH /docs/${slug}`, token, body: { base_revision: 1, edits } }
      }),
  },
  {
    name: 'comment quote',
    most: limits.quoteMaxBytes / 2,
    prepare: (scene, near) =>
      inDocument(scene, (size) => near.haystack(size * 8))(({ slug, token }, size) => {
        const body = { quote: word(near, size), text: 'x' }
        return { path: `/docs/${slug}/comments`, token, body }
      }),
  },
  {
    name: 'comment place.words',
    most: limits.quoteMaxBytes / 2,
    prepare:
      ({ service }, near) =>
      async (size) => {
        const { slug, token } = await documentOf(service, near.haystack(size * 16))
        const { json } = await service.call('GET', `/docs/${slug}`, { token })
        const [block] = json['content_blocks'] as Fields[]
        const end = { block_id: String(block?.['id']), offset: size * 4 }
        const place = { from: end, to: { ...end, offset: size * 5 }, words: word(near, size) }
        return () =>
          service.call('POST', `/docs/${slug}/comments`, { token, body: { text: 'x', place } })
      },
  },
  {
    name: 'new_block_quote',
    most: limits.quoteMaxBytes / 2,
    prepare:
      ({ service }, near) =>
      async (size) => {
        const markdown = `doomed words\n\n${near.haystack(size * 8)}`
        const { slug, token } = await documentOf(service, markdown)
        const body = { quote: 'doomed words', text: 'x' }
        const made = await service.call('POST', `/docs/${slug}/comments`, { token, body })
        const id = made.json['comment_id']
        const outcome = { id, action: 'remap', new_block_quote: word(near, size) }
        const edits = [{ old_string: 'doomed words\n\n', new_string: '' }]
        return () =>
          service.call('PATCH', `/docs/${slug}`, {
            token,
            body: { edits, comment_outcomes: [outcome] },
          })
      },
  },
  {
    name: 'an edit beside the long quote of a thread',
    most: limits.quoteMaxBytes / 4,
    prepare:
      ({ service }, near) =>
      async (size) => {
        const quote = near.haystack(size).trim()
        const markdown = `begin ${quote} end ${near.haystack(size * 8)}`
        const { slug, token } = await documentOf(service, markdown)
        const { json } = await service.call('GET', `/docs/${slug}`, { token })
        const [block] = json['content_blocks'] as Fields[]
        const end = { block_id: String(block?.['id']), offset: 6 }
        const place = { from: end, to: { ...end, offset: 6 + quote.length }, words: quote }
        await service.call('POST', `/docs/${slug}/comments`, { token, body: { text: 'x', place } })
        const edits = [{ old_string: `begin ${quote.slice(0, 40)}`, new_string: 'begin' }]
        return () => service.call('PATCH', `/docs/${slug}`, { token, body: { edits } })
      },
  },
  {
    name: 'search in a library',
    most: 512,
    prepare:
      ({ service, agent }, near) =>
      async (size) => {
        const { json } = await service.call('GET', '/agents/me', { token: agent })
        const { slug, token } = await documentOf(service, near.haystack(size * 256))
        await service.call('POST', `/docs/${slug}/access`, {
          token,
          body: { handle: String(json['handle']), role: 'viewer' },
        })
        const q = encodeURIComponent(word(near, size / 2))
        return () =>
          service.call('GET', `/agents/me/library/search?q=${q}&ignoreCase=1`, { token: agent })
      },
  },
]
