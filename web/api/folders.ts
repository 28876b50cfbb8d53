/** What is done with the folders of one's library (interface §4.3, extensions §12). */
import { call } from './http.ts'
import { type Folder, inFolder } from './library.ts'

/** `undefined`: in none. */
const personalTarget = (folder: string | undefined) =>
  folder === undefined ? { kind: 'personal' } : inFolder(folder)

/** One of that name that is there already, or a new one. */
export async function makeFolder(name: string, inside: string | undefined): Promise<Folder> {
  const body = { name, library_target: personalTarget(inside) }
  return (await call('POST /docs/folders', ['node'], { body })).node
}

export const renameFolder = (id: string, name: string) =>
  call('PATCH /docs/folders/:id', [], { id, body: { name } })

/** An empty one. */
export const deleteFolder = (id: string) => call('DELETE /docs/folders/:id', [], { id })

export const moveDocument = (slug: string, folder: string | undefined) =>
  call('PUT /docs/:slug/placement', [], {
    slug,
    body: { library_target: personalTarget(folder) },
  })
