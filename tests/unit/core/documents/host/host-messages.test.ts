/** Messages between the front and a document host: a socket that sends much is read on. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hostUnreadMaxBytes } from '../../../../../core/documents/host/host-client.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { systemRuntime as runtime } from '../../../../../server/runtime.ts'
import { openMessagedDocuments } from '../../../../messaged-documents.ts'
import { becomes } from '../../../../waiting.ts'
import { LiveDesk } from '../live/live-desk.ts'

test('a socket is read again when its host has taken the updates it sent', async () => {
  const store = await openMemoryStore({ runtime })
  const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
  const { documents } = openMessagedDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  await documents.create({
    ...{ markdown: 'word\n', slug, puts: [], replay: {} },
    linkAccess: { mode: 'anyone', role: 'editor' },
    writer: { actor: 'ai:ann' as ActorId, authMethod: 'token' },
  })
  const desk = await new LiveDesk('ben').open(documents, slug)
  const text = desk.textOf(0)
  const chars = hostUnreadMaxBytes / 16
  let pauses = 0
  for (let round = 0; round < 3; round++) {
    // More than a socket may send before its host answers.
    for (let sent = 0; sent <= hostUnreadMaxBytes; sent += chars) {
      text.insert(text.length, 'x'.repeat(chars))
    }
    if (!desk.isReading) pauses++
    await becomes(async () => desk.isReading && desk.saved === desk.sent)
    text.delete(0, text.length)
  }
  assert.is(pauses, 3)
  await documents.close()
  await store.close()
})

test.run()
