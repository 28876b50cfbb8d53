/** The rules that document hosts are given: who may write, and who should hear of an act. */
import type { ActorId } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'
import { assertPermitted, type Grounds } from './access/permitted.ts'
import type { DocumentRules } from './documents/host/rules.ts'
import { noticeOf, putOf } from './outbox/notices.ts'
import { steadyRuntime } from './runtime/steady-runtime.ts'

export function documentRules(wall: Runtime): DocumentRules {
  const runtime = steadyRuntime(wall)
  return {
    // Made by `permissionTo`, and by nothing else.
    assertPermitted: (grounds, facts) => assertPermitted(grounds as Grounds, facts),
    noticeOf(slug, by, act) {
      const notice = noticeOf(runtime, { slug, by, act })
      if (notice === undefined) return { to: [], puts: [] }
      const to = [...new Set(notice.to.map(({ actor }) => actor as ActorId))]
      return { to, puts: [putOf(runtime, notice)] }
    },
  }
}
