/** Folders of a library, and where a document stands in it (interface §4.3, extensions §12). */
import type { Static } from '@sinclair/typebox'
import type { Credential } from '../../core/access/credentials.ts'
import { attachedRecordsOf } from '../../core/commit/attached-records.ts'
import type { Placer } from '../../core/library/targets.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import type { Folder } from '../../core/records/people-records.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { folderSuccess } from '../../schema/wire/folders.ts'
import { placerIn } from '../admission/credential-kinds.ts'
import { madeOnce, retryable } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { isoTime } from '../answers/times.ts'
import { documentRoute, route } from '../route.ts'

interface MadeFolder {
  readonly folder: Folder
  readonly isNew: boolean
}

export const makeFolder = route(
  'POST /docs/folders',
  {
    access: 'library',
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Create a folder',
    description:
      'In the account’s `personal` or `team` container, or in a bot’s brain (`bot`). If a ' +
      'folder with this name already exists there, it is returned with 200.',
    quota: 'create',
    takesSpace: true,
    ...retryable,
    success: { status: 201, otherStatuses: [200] },
    errors: [
      'NOT_AUTHORIZED',
      'BOT_TARGET_MISMATCH',
      'INVALID_KIND',
      'INVALID_PARENT',
      'LIMIT_REACHED',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  async (input, services) => {
    const { credential, body } = input
    const { library } = services.people
    const folder = { name: folderName(body.name), target: body.library_target }
    const { folder: made, isNew } = await madeOnce<MadeFolder>(input, services, (attached) => {
      const noteOf = (folder: Folder) => ({ folder, isNew: true })
      return library.createFolder(placerIn(credential), folder, attachedRecordsOf(attached, noteOf))
    })
    return { ...json(shown(made)), status: isNew ? 201 : 200 }
  },
)

export const changeFolder = route(
  'PATCH /docs/folders/:id',
  {
    access: 'library',
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Rename or move a folder',
    extension: true,
    errors: ['NOT_AUTHORIZED', 'NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED', 'INVALID_PARENT'],
  },
  async ({ credential, params, body }, { people }) => {
    const placer = changerIn(credential)
    const { name, parentFolderId } = body
    const changes = { ...(name !== undefined && { name: folderName(name) }), parentFolderId }
    return json(shown(await people.library.changeFolder(placer, params['id'] ?? '', changes)))
  },
)

export const deleteFolder = route(
  'DELETE /docs/folders/:id',
  {
    access: 'library',
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Delete an empty folder',
    extension: true,
    errors: ['NOT_AUTHORIZED', 'NOT_FOUND', 'FOLDER_NOT_EMPTY'],
  },
  async ({ credential, params }, { people }) => {
    const id = params['id'] ?? ''
    await people.library.deleteFolder(changerIn(credential), id)
    return json({ deleted: true as const, id })
  },
)

export const placeDocument = documentRoute(
  'PUT /docs/:slug/placement',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Move a document in its owner’s library',
    description:
      'Moves it to a folder, another container of the same workspace, or a bot’s brain. ' +
      'Access that depends on the placement changes with it. This creates no revision.',
    extension: true,
    access: 'own',
    errors: ['NOT_AUTHORIZED', 'BOT_TARGET_MISMATCH', 'INVALID_KIND', 'INVALID_PARENT'],
  },
  async ({ credential, body, document, permission }, { people }) => {
    const { slug } = document
    if (permission === undefined) throw new Refusal('AUTH_REQUIRED')
    const placer = placerIn(credential)
    const request = { slug, placer, target: body.library_target, permission }
    const resolution = await people.library.moveDocument(request)
    return json({ id: slug, library_target_resolution: resolution })
  },
)

/** Owner keys make, and change nothing (interface §5). */
function changerIn(credential: Credential | undefined): Placer {
  if (credential?.kind === 'owner-key') throw new Refusal('FORBIDDEN')
  return placerIn(credential)
}

/** In one form, so that what reads the same is the same. */
const folderName = (text: string): string =>
  displayNameFrom(text, '/name', limits.folderNameMaxChars).normalize('NFC')

function shown({
  folderId,
  name,
  containerId,
  parentFolderId,
  createdAt,
}: Folder): Static<typeof folderSuccess> {
  return {
    ok: true,
    node: {
      id: folderId,
      name,
      kind: 'folder',
      container_id: containerId,
      parent_folder_id: parentFolderId ?? null,
      created_at: isoTime(createdAt),
    },
  }
}
