/**
 * Sees to it that this page opens without the service too, once it has a document that this device
 * keeps (see `worker.ts`). A browser that cannot, or may not, goes on without.
 */
import { under } from '../api/base.ts'
export function keepPage(): void {
  if (!('serviceWorker' in navigator) || !isSecureContext) return
  void registerWorker().catch(() => undefined)
}

async function registerWorker(): Promise<void> {
  await navigator.serviceWorker.register(under('/worker.js'))
  const { active } = await navigator.serviceWorker.ready
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(
      ({ origin, pathname }) =>
        origin === location.origin && pathname.startsWith(under('/assets/')),
    )
    .map(({ pathname }) => pathname)
  active?.postMessage([location.pathname, under('/'), ...loaded])
}
