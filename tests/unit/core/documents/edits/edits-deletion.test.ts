/** A deletion of whole blocks does not add up the blank lines around them (interface §4.5). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { result } from './edits-planning.ts'

const becomes = (before: string, gone: string, after: string) =>
  assert.is(result(before, { old_string: gone, new_string: '' }), after, JSON.stringify(gone))

test('a block of any kind goes with one of the gaps around it', () => {
  const table = '| a | b |\n| --- | --- |\n| x | z |'
  for (const block of ['one two', table, '- x\n- y', '```\nx\n\ny\n```', '> q', '---', '## h']) {
    for (const gone of [block, `${block}\n`, `${block}\n\n`, `\n\n${block}`]) {
      becomes(`a\n\n${block}\n\nend\n`, gone, 'a\n\nend\n')
    }
    becomes(`${block}\n\nend\n`, block, 'end\n')
    becomes(`a\n\n${block}\n`, block, 'a\n')
    becomes(`a\n\n\n\n${block}\n\nend\n`, block, 'a\n\nend\n')
  }
})

test('several blocks go like one', () => {
  becomes('a\n\nb\n\n- c\n\nd\n', 'b\n\n- c', 'a\n\nd\n')
  becomes('a\n\nb\n\n- c\n- d\n', 'b\n\n- c', 'a\n\n- d\n')
})

test('an item at an end of its list goes with its line', () => {
  becomes('a\n\n- x\n- y\n\nend\n', '- y', 'a\n\n- x\n\nend\n')
  becomes('a\n\n- x\n- y\n\nend\n', '- x', 'a\n\n- y\n\nend\n')
  becomes('a\n\n## h\ntext\n', '## h', 'a\n\ntext\n')
})

test('blank lines inside a block stay as they are', () => {
  becomes('```\nx\n\ny\n\nz\n```\n', 'y', '```\nx\n\n\n\nz\n```\n')
})

test('a block whose blank lines alone change may stand behind the deletion', () => {
  becomes('a\n\n\nb\n\nend\n', 'b\n\n', 'a\n\n\nend\n')
  becomes('a\n\nb\n\n\n\nend\n', 'b\n', 'a\n\n\n\nend\n')
})

test.run()
