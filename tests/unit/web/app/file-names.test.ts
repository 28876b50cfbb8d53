/** Names of files that documents are saved as. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fileName } from '../../../../web/app/download.ts'

test('a title’s words make a name that any file system takes', () => {
  assert.is(fileName('The plan: a/b\\c "d" <e>?'), 'The-plan-a-b-c-d-e')
  assert.is(fileName('../../etc/passwd'), 'etc-passwd')
  assert.is(fileName('読書室 für alle'), '読書室-für-alle')
  for (const title of ['', ' … ', '🎉']) assert.is(fileName(title), 'document')
  assert.is([...fileName('𠮷'.repeat(200))].length, 80)
})

test.run()
