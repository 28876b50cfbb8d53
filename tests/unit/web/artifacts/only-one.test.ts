/** Interface §4.8 in the page: of the artifacts of one text one runs at a time. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SingleRunner } from '../../../../web/artifacts/single-runner.ts'

/** Artifacts of one text, and which of them run. */
function text() {
  const one = new SingleRunner()
  const running = new Set<string>()
  const artifact = (name: string) => {
    const stop = () => end()
    const end = () => {
      running.delete(name)
      one.end(stop)
    }
    const ask = () => {
      running.add(name)
      one.begin(stop)
    }
    return { ask, end, see: () => one.wait(ask), unsee: () => one.unwait(ask) }
  }
  return { artifact, running: () => [...running].join() }
}

test('who is asked for stops the other', () => {
  const { artifact, running } = text()
  const [a, b] = [artifact('a'), artifact('b')]
  a.ask()
  b.ask()
  assert.is(running(), 'b')
  a.end()
  assert.is(running(), 'b')
  b.end()
  assert.is(running(), '')
})

test('who is seen waits for the one that runs, in the order in which they were seen', () => {
  const { artifact, running } = text()
  const [a, b, c] = [artifact('a'), artifact('b'), artifact('c')]
  a.see()
  b.see()
  c.see()
  assert.is(running(), 'a')
  b.unsee()
  a.end()
  assert.is(running(), 'c', 'b is out of sight again')
  a.ask()
  assert.is(running(), 'a')
})

test.run()
