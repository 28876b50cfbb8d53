/** What is different where the service runs in a container. */
import { existsSync, readFileSync } from 'node:fs'

/** As container engines leave a mark of theirs, or name themselves to the first process. */
export function isInContainer(root = '/'): boolean {
  if (existsSync(`${root}.dockerenv`) || existsSync(`${root}run/.containerenv`)) return true
  if (process.env['KUBERNETES_SERVICE_HOST'] !== undefined) return true
  try {
    return /\/(?:docker|kubepods|containerd|lxc)\b/.test(
      readFileSync(`${root}proc/1/cgroup`, 'utf8'),
    )
  } catch {
    return false
  }
}

/** For the line that says `ready`: nobody outside reaches a container's own loopback. */
export function hostHint(host: string, isContainer = isInContainer()): string | undefined {
  const isLoopback = /^(?:127\.|localhost$|::1$)/.test(host)
  if (!isContainer || !isLoopback) return undefined
  return `HOST=${host} is reached from inside this container alone; HOST=0.0.0.0 listens outside too`
}
