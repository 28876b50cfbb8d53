/**
 * What edits cost the service is counted by address: their processor time, and the bytes that they
 * write a day. Both protect its capacity: who has used up either is BUSY. Where the disk is nearly
 * full, only small edits are written.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Services } from '../services.ts'

export interface EditCharges {
  readonly onWork: (ms: number) => void
  readonly onWritten: (bytes: number) => void
  readonly freeChars: number | undefined
}

/** Runs an edit and charges it. Refuses BUSY, UNAVAILABLE. */
export async function charged<T>(
  { address }: { readonly address: string },
  {
    processorTime,
    quotas,
    assets: { space },
  }: Pick<Services, 'processorTime' | 'quotas' | 'assets'>,
  edit: (charges: EditCharges) => Promise<T>,
): Promise<T> {
  const day = quotas.look('writeMb', address)
  if (day?.exceeded) throw new Refusal('BUSY', { retry_after: day.resetSeconds })
  const onWritten = (bytes: number) => quotas.charge('writeMb', address, bytes / bytesPerMegabyte)
  await space.look()
  return processorTime.work({ address }, (onWork) =>
    edit({ onWork, onWritten, freeChars: space.takesMost }),
  )
}

const bytesPerMegabyte = 1_000_000
