/** How many bundles are written at once, and who gives way (extensions §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BundleSlots } from '../../../rest/bundle-slots.ts'
import { limits } from '../../../schema/limits.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'

const { bundlesAtOnce, bundlesOfNetwork, bundleUndisturbedMs } = limits

test('a network has so many at most, and others some beside it', () => {
  const slots = new BundleSlots(new SimulatedRuntime())
  const releases = Array.from({ length: bundlesOfNetwork }, () => slots.open('a', () => {}))
  assert.throws(() => slots.open('a', () => {}), /Too much at once/)
  slots.open('b', () => {})
  releases[0]?.()
  slots.open('a', () => {})
})

test('where all are taken, the longest of who has most gives way, after a while', () => {
  const runtime = new SimulatedRuntime()
  const slots = new BundleSlots(runtime)
  const ended: string[] = []
  const open = (network: string, name = network) => slots.open(network, () => ended.push(name))
  open('alone')
  for (let count = 0; count < bundlesAtOnce - 1; count++) {
    const network = `n${Math.floor(count / bundlesOfNetwork)}`
    open(network, `${network} ${count}`)
  }
  assert.throws(() => open('late'), /Too much at once/)
  runtime.work(bundleUndisturbedMs)
  open('late')
  assert.equal(ended, ['n0 0'])
  open('later')
  assert.equal(ended, ['n0 0', `n1 ${bundlesOfNetwork}`])
})

test.run()
