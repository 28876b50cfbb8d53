/** The contract of document hosts, in threads. */
import { hostedDocuments } from '../../../core/documents/front/documents.ts'
import { limits } from '../../../schema/limits.ts'
import { openDocumentThreads } from '../../../server/document-threads.ts'
import { hostContract } from '../../host-contract.ts'

const { markdownMaxBytes, memoryMaxBytes: memoryAimBytes } = limits
const threads = { small: 1, large: 1, markdownMaxBytes, memoryAimBytes }

hostContract(
  'in threads',
  (parts) => hostedDocuments({ ...parts, hosts: openDocumentThreads({ ...parts, ...threads }) }),
  { isAway: true },
).run()
