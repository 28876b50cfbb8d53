/** The methods of some documents as a plain object, for tests that lay one of their own over it. */
import type { Documents } from '../../core/documents/contract.ts'

export const bound = (documents: Documents): Documents => ({
  create: (request) => documents.create(request),
  facts: (slug) => documents.facts(slug),
  read: (slug) => documents.read(slug),
  block: (slug, id) => documents.block(slug, id),
  patch: (slug, request) => documents.patch(slug, request),
  configure: (slug, flags, writer) => documents.configure(slug, flags, writer),
  revisionText: (slug, revision) => documents.revisionText(slug, revision),
  connect: (slug, peer) => documents.connect(slug, peer),
  follow: (slug, listener) => documents.follow(slug, listener),
  close: () => documents.close(),
  get openCount() {
    return documents.openCount
  },
})
