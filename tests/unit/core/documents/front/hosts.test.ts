/** The contract of document hosts, in this thread and behind messages. */
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { hostContract } from '../../../../host-contract.ts'
import { openMessagedDocuments } from '../../../../messaged-documents.ts'

hostContract('in this thread', openDocuments, { isAway: false }).run()
hostContract('behind messages', (parts) => openMessagedDocuments(parts).documents, {
  isAway: true,
}).run()
