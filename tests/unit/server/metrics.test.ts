/** What the service measures of itself, and what measuring costs while nobody asks. */
import { PerformanceObserver } from 'node:perf_hooks'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Metrics } from '../../../server/metrics.ts'

const gauges = {
  openDocuments: () => 3,
  documents: () => [{ host: 'small-0', openCount: 3, memoryBytes: 1 }],
  liveSockets: () => 2,
  changeSockets: () => 1,
}

/** How often something begins to observe the process meanwhile. */
async function observed(work: () => unknown): Promise<number> {
  const { observe } = PerformanceObserver.prototype
  let count = 0
  PerformanceObserver.prototype.observe = function (...args) {
    count++
    observe.apply(this, args)
  }
  await work()
  PerformanceObserver.prototype.observe = observe
  return count
}

test('the process is measured from the first time on that somebody asks', async () => {
  let metrics: Metrics | undefined
  const made = await observed(() => {
    metrics = new Metrics(gauges)
    metrics.request({ method: 'GET', route: '/docs/:slug', status: 200, ms: 3 })
  })
  assert.is(made, 0)
  assert.ok((await observed(() => metrics?.text())) > 0)
  assert.is(await observed(() => metrics?.text()), 0, 'once')
  metrics?.close()
})

test('what was not measured yet is left out: the first text has no NaN', async () => {
  const metrics = new Metrics(gauges)
  const text = await metrics.text()
  assert.not.match(text, /nan/i)
  for (const line of text.split('\n')) {
    if (line !== '' && !line.startsWith('#'))
      assert.ok(Number.isFinite(Number(line.split(' ').at(-1))), line)
  }
  metrics.close()
})

test('requests count from the start, whoever asks when', async () => {
  const metrics = new Metrics(gauges)
  metrics.request({ method: 'GET', route: '/docs/:slug', status: 200, ms: 3 })
  for (const count of [1, 2]) {
    const text = await metrics.text()
    const labels = 'method="GET",route="/docs/:slug",status="200"'
    assert.ok(text.includes(`scriptorium_request_seconds_count{${labels}} ${count}`), text)
    assert.match(text, /^scriptorium_open_documents 3$/m)
    assert.match(text, /^scriptorium_host_documents\{host="small-0"\} 3$/m)
    assert.match(text, /^process_resident_memory_bytes \d+$/m)
    metrics.request({ method: 'GET', route: '/docs/:slug', status: 200, ms: 3 })
  }
  metrics.close()
})

test.run()
