/** What is done with the folders of one's library (interface §4.3, extensions §12). */
import { call } from './http.ts'
import { type Folder, inFolder } from './library.ts'

/** `undefined`: in none. */
const personalTarget = (folder: string | undefined) =>
  folder === undefined ? { kind: 'personal' } : inFolder(folder)

/** One of that name that is there already, or a new one. */
export async function makeFolder(name: string, inside: string | undefined): Promise<Folder> {
  const body = { name, library_target: personalTarget(inside) }
  return (await call<{ node: Folder }>('/docs/folders', ['node'], { method: 'POST', body })).node
}

export const renameFolder = (id: string, name: string): Promise<unknown> =>
  call(`/docs/folders/${id}`, [], { method: 'PATCH', body: { name } })

/** An empty one. */
export const deleteFolder = (id: string): Promise<unknown> =>
  call(`/docs/folders/${id}`, [], { method: 'DELETE' })

export const moveDocument = (slug: string, folder: string | undefined): Promise<unknown> =>
  call(`/docs/${slug}/placement`, [], {
    method: 'PUT',
    body: { library_target: personalTarget(folder) },
  })
