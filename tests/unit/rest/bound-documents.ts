/** The methods of some documents as a plain object, for tests that lay one of their own over it. */
import type { Documents } from '../../../core/documents/contract.ts'

export const bound = (documents: Documents): Documents => ({
  create: (request) => documents.create(request),
  keep: (claim, slug, effect) => documents.keep(claim, slug, effect),
  facts: (slug) => documents.facts(slug),
  read: (slug, wish, sources) => documents.read(slug, wish, sources),
  block: (slug, id, sources) => documents.block(slug, id, sources),
  patch: (slug, request) => documents.patch(slug, request),
  revert: (slug, revision, request) => documents.revert(slug, revision, request),
  past: documents.past,
  discussion: documents.discussion,
  configure: (slug, flags, by) => documents.configure(slug, flags, by),
  retire: (slug, why) => documents.retire(slug, why),
  record: (slug, by, plan) => documents.record(slug, by, plan),
  changeLife: (slug, change, by) => documents.changeLife(slug, change, by),
  revisionText: (slug, revision) => documents.revisionText(slug, revision),
  connect: (slug, request, peer) => documents.connect(slug, request, peer),
  follow: (slug, listener, sources) => documents.follow(slug, listener, sources),
  close: () => documents.close(),
  get usage() {
    return documents.usage
  },
  get openCount() {
    return documents.openCount
  },
  get memoryBytes() {
    return documents.memoryBytes
  },
})
