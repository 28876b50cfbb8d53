/** Folders of a library, and where documents stand in it (interface §4.3, extensions §12). */
import { Type } from '@sinclair/typebox'
import { libraryTarget, libraryTargetResolution } from './create-document.ts'
import { nullable } from './primitives.ts'

const folderName = Type.String({
  description: 'One line, at most 200 characters. Unique in its folder.',
})

export const newFolderBody = Type.Object(
  { name: folderName, library_target: libraryTarget },
  { additionalProperties: false },
)

export const folderChangesBody = Type.Object(
  {
    name: Type.Optional(folderName),
    parentFolderId: Type.Optional(
      nullable(Type.String({ description: 'A folder of the same container. null: its root.' })),
    ),
  },
  { additionalProperties: false },
)

export const folderSuccess = Type.Object({
  ok: Type.Literal(true),
  node: Type.Object({
    id: Type.String(),
    name: Type.String(),
    kind: Type.Literal('folder'),
    container_id: Type.String(),
    parent_folder_id: nullable(Type.String()),
    created_at: Type.String(),
  }),
})

export const deletedFolderSuccess = Type.Object({
  deleted: Type.Literal(true),
  id: Type.String(),
})

export const placementBody = Type.Object(
  { library_target: libraryTarget },
  { additionalProperties: false },
)

export const placementSuccess = Type.Object({
  id: Type.String(),
  library_target_resolution: libraryTargetResolution,
})
