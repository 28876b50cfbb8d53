/**
 * What edits cost the service is counted by address: their processor time, and the bytes that they
 * write a day. Both protect its capacity: who has used up either is BUSY.
 */
import { Refusal } from '../schema/errors.ts'
import type { Services } from './services.ts'

export interface EditCharges {
  readonly onWork: (ms: number) => void
  readonly onWritten: (bytes: number) => void
}

/** Runs an edit and charges it. Refuses BUSY. */
export async function charged<T>(
  { address }: { readonly address: string },
  { processorTime, quotas }: Pick<Services, 'processorTime' | 'quotas'>,
  edit: (charges: EditCharges) => Promise<T>,
): Promise<T> {
  const day = quotas.look('writeMb', address)
  if (day?.exceeded) throw new Refusal('BUSY', { retry_after: day.resetSeconds })
  const onWritten = (bytes: number) => quotas.charge('writeMb', address, bytes / bytesPerMegabyte)
  return processorTime.work({ address }, (onWork) => edit({ onWork, onWritten }))
}

const bytesPerMegabyte = 1_000_000
