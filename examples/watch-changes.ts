/**
 * Follows a document: `ready`, then `doc_changed` for every revision, and reads the document anew
 * each time. `SCRIPTORIUM_DOC` and `SCRIPTORIUM_TOKEN` name one; without them it makes one and
 * edits it.
 */
import WebSocket from 'ws'

const service = process.env['SCRIPTORIUM_URL'] ?? 'http://localhost:4000'
const json = { 'content-type': 'application/json' }

async function ownDocument(): Promise<{ slug: string; token: string }> {
  const body = JSON.stringify({ markdown: '# Log\n\nNothing yet.\n' })
  const response = await fetch(`${service}/docs`, { method: 'POST', headers: json, body })
  const created = (await response.json()) as { id: string; access_token: string }
  return { slug: created.id, token: created.access_token }
}

async function edit(slug: string, token: string, from: string, to: string): Promise<void> {
  const response = await fetch(`${service}/docs/${slug}`, {
    method: 'PATCH',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({
      edits: [{ old_string: from, new_string: to }],
      display_name: 'Logger',
    }),
  })
  if (!response.ok) throw new Error(`PATCH: ${response.status} ${await response.text()}`)
}

const given = process.env['SCRIPTORIUM_DOC']
const { slug, token } =
  given === undefined
    ? await ownDocument()
    : { slug: given, token: process.env['SCRIPTORIUM_TOKEN'] ?? '' }
const headers = { authorization: `Bearer ${token}` }

async function read(): Promise<{ revision: number; markdown: string }> {
  const response = await fetch(`${service}/docs/${slug}`, { headers })
  return (await response.json()) as { revision: number; markdown: string }
}

const first = await read()
const address = `${service.replace('http', 'ws')}/docs/${slug}/changes/connect`
const socket = new WebSocket(`${address}?since_revision=${first.revision}`, { headers })

socket.on('message', async (data) => {
  const frame = JSON.parse(String(data))
  console.log(`${frame.type} at revision ${frame.revision}`)
  if (frame.type === 'doc_changed') {
    const { markdown } = await read()
    console.log(`  now: ${markdown.trim().split('\n').at(-1)}`)
  }
  if (given !== undefined) return
  if (frame.type === 'ready') await edit(slug, token, 'Nothing yet.', 'First entry.')
  else if (frame.revision === first.revision + 1) await edit(slug, token, 'First', 'The first')
  else socket.close()
})
await new Promise((resolve) => socket.on('close', resolve))
