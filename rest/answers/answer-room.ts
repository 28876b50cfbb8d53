/**
 * How much of the memory for unsent answers is reserved before an answer is made, by what bounds
 * it. When it is made, its size is known and takes the place of the estimate.
 */
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { ByteShare } from '../quotas/byte-shares.ts'
import type { AnswerKind } from '../route.ts'
import type { Services } from '../services.ts'

/** Refuses BUSY. `slug`: of the document, where it is known already. */
export async function reserveRoom(
  room: ByteShare,
  { answer, slug }: { readonly answer: AnswerKind; readonly slug: Slug | undefined },
  services: Pick<Services, 'documents'>,
): Promise<void> {
  const isOfDocument = answer === 'document' && slug !== undefined
  room.resize(isOfDocument ? await documentBytes(slug, services) : limits.answerBytes[answer])
}

/** The text with its blocks takes about a sixteenth of what the document costs in memory. */
async function documentBytes(
  slug: Slug,
  { documents }: Pick<Services, 'documents'>,
): Promise<number> {
  const estimate = limits.answerBytes.document + (await documents.past.weight(slug)) / 16
  return Math.min(limits.documentAnswerMaxBytes, estimate)
}
