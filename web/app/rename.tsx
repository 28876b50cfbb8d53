/** Changing one's name; its dialog comes with its first use. */
import { lazyDialog } from '../platform/lazy-dialog.tsx'

export const { Dialog: Rename } = lazyDialog(async () => (await import('./name-dialog.tsx')).Rename)
