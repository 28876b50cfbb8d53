/**
 * The text as the edits of one request make it, one after the other, and what became of each.
 * Invariant: an edit that fails leaves no trace in the text. Decides nothing about where edits go.
 */
import type { Comparing } from '../../../../schema/diff/comparing.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import {
  findText,
  type Reading,
  readingOf,
  snippets,
} from '../../../../schema/markdown/matching.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { type EditOutcome, rolledBack } from '../request/outcomes.ts'
import { commandOperation } from './block-operations.ts'
import type { Operation, OperationResult } from './operation.ts'
import type { Command, Failed, Position } from './position.ts'
import { spliceOperation } from './splice-operation.ts'
import { documentOperation } from './whole-document.ts'

/** How to get what an edit asked for where it is refused for its form (interface §4.5, tables). */
const byReason: Readonly<Record<string, string>> = {
  rows_swapped:
    'To change the order of rows, send move_block with the id of a row and after_block or ' +
    'before_block for each row that moves, or send the whole text as replace_document.',
  rows_and_cells_changed:
    'Send two edits in one request: first the one that changes cells, then the one that adds or ' +
    'removes rows.',
}

const instructionFor = (reason: string | undefined): string | undefined =>
  reason === undefined ? undefined : byReason[reason]

const editedBlocksMaxChars = 16 * 1024 * 1024

interface DraftOptions {
  readonly isBatch: boolean
  readonly comparing: Comparing
}

export class Draft {
  readonly operations: Operation[] = []
  readonly #outcomes: EditOutcome[] = []
  /** Failed searches that are to show their occurrences in the final text. */
  readonly #shown = new Map<number, string>()
  readonly #isBatch: boolean
  readonly #comparing: Comparing
  #text: DocumentText
  /** UTF-16 units of blocks read again so far: what the request costs. */
  #work = 0

  constructor(text: DocumentText, { isBatch, comparing }: DraftOptions) {
    this.#text = text
    this.#isBatch = isBatch
    this.#comparing = comparing
  }

  get text(): DocumentText {
    return this.#text
  }

  /** In the order of the request. */
  outcomes(): EditOutcome[] {
    const outcomes: EditOutcome[] = []
    const reading = readingOf()
    let left: number = limits.snippetsPerPatch
    for (const outcome of this.#inOrder()) {
      const shown = this.#withPlaces(outcome, { reading, most: left })
      left -= shown.snippets?.length ?? 0
      outcomes.push(shown)
    }
    return outcomes
  }

  /** Makes the edit at its position. Throws BROAD_REWRITE when the request costs too much. */
  make(index: number, position: Exclude<Position, Failed>): void {
    this.#spend(position)
    try {
      this.#take(index, operationAt(this.#text, position, this.#comparing))
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'PAYLOAD_TOO_LARGE') throw error
      // Of one edit already there is more than a document may have.
      const outcomes = [...this.outcomes(), { ok: true, index }]
      throw rolledBack(error.code, outcomes, error.details)
    }
  }

  fail(index: number, { code, reason, shown, tombstone }: Failed): void {
    if (shown !== undefined) this.#shown.set(index, shown)
    const why = reason === undefined ? {} : { reason }
    this.#outcomes.push({ ok: false, index, code, ...why, ...(tombstone && { tombstone }) })
  }

  #take(index: number, result: OperationResult): void {
    if (result.kind === 'refused') {
      const { reason } = result
      const isUndone = this.#isBatch && result.code === 'EDIT_VERIFICATION_FAILED'
      const code = isUndone ? 'EDIT_APPLY_MISMATCH' : result.code
      const instruction = instructionFor(reason)
      this.#outcomes.push({ ok: false, index, code, reason, ...(instruction && { instruction }) })
      return
    }
    this.#outcomes.push({ ok: true, index })
    if (result.kind === 'unchanged') return
    this.operations.push(result.operation)
    this.#text = result.operation.text
  }

  #spend(position: Exclude<Position, Failed>): void {
    this.#work += costOf(this.#text, position)
    if (this.#work <= editedBlocksMaxChars || this.operations.length === 0) return
    throw rolledBack('BROAD_REWRITE', this.outcomes())
  }

  #inOrder(): EditOutcome[] {
    return this.#outcomes.toSorted((a, b) => a.index - b.index)
  }

  #withPlaces(
    outcome: EditOutcome,
    { reading, most }: { readonly reading: Reading; readonly most: number },
  ): EditOutcome {
    const wanted = this.#shown.get(outcome.index)
    if (wanted === undefined) return outcome
    const { total, matches } = findText(this.#text, wanted, { reading })
    const listed = matches.slice(0, Math.min(limits.snippetsPerEdit, most))
    return { ...outcome, occurrences: total, snippets: snippets(this.#text, listed) }
  }
}

function operationAt(
  text: DocumentText,
  position: Exclude<Position, Failed>,
  comparing: Comparing,
): OperationResult {
  if (position.kind === 'splice') return spliceOperation(text, position.splice, comparing)
  if (position.kind === 'command') return commandOperation(text, position.command)
  return documentOperation(text, position.edit, comparing)
}

/** What is read, printed and read back, in UTF-16 units; a whole document is but one edit. */
function costOf(text: DocumentText, position: Exclude<Position, Failed>): number {
  if (position.kind === 'document') return 0
  if (position.kind === 'splice') {
    return position.splice.insert.length + lengthOfTouched(text, position.splice)
  }
  const { command } = position
  const inserted = command.kind === 'insert' ? command.markdown.length : 0
  return inserted + holdersOf(command).reduce((sum, at) => sum + text.printed(at).md.length, 0)
}

/** The top-level blocks that a command changes within: they are made anew whole. */
function holdersOf(command: Command): number[] {
  const blocks = command.kind === 'insert' ? [] : [command.block]
  if (command.kind !== 'delete' && 'block' in command.to) blocks.push(command.to.block)
  return [...new Set(blocks.filter(({ pos }) => pos > 0).map(({ index }) => index))]
}

const lengthOfTouched = (text: DocumentText, { from, to }: TextSplice): number =>
  text.blockCount === 0 ? 0 : text.end(text.indexAt(to)) - text.start(text.indexAt(from))
