/** The history as an OKF log (interface §4.11): by days of UTC, the newest first. */
import type { ActorObject } from '../../core/access/actors.ts'
import type { HistoryEntry } from '../../core/documents/contract.ts'

const deeds: Readonly<Record<string, string>> = {
  create: 'created the document',
  edit: 'edited the text',
  revert: 'restored an earlier revision',
  comment: 'commented',
  suggestion: 'changed a suggestion',
  resolution: 'resolved or reopened a thread',
  reaction: 'reacted to a comment',
  access: 'changed who has access',
  settings: 'changed the settings',
  archive: 'archived the document',
  restore: 'restored the document',
}

export function writeLog(
  entries: readonly HistoryEntry[],
  actors: Readonly<Record<string, ActorObject>>,
): string {
  const lines: string[] = []
  let day = ''
  for (const { row, name } of entries) {
    const at = new Date(row.at).toISOString()
    if (at.slice(0, 10) !== day) {
      day = at.slice(0, 10)
      lines.push(...(lines.length > 0 ? [''] : []), `## ${day}`, '')
    }
    const who = row.actors.map((id) => `${plain(actors[id]?.name ?? id)} (${id})`).join(', ')
    const named = name === undefined ? '' : `, named ${plain(name)}`
    const deed = deeds[row.event] ?? plain(row.event)
    lines.push(
      `* **Update** ${at.slice(11, 16)} by ${who}: ${deed} (revision ${row.revision}${named})`,
    )
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** What somebody chose, as text that is nothing but text in markdown. */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[!-&(-,./:-@[-`{-~]/g, '\\$&')
