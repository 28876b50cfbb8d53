/** How to get what an edit asked for where it is refused for its form (interface §4.5, tables). */
const byReason: Readonly<Record<string, string>> = {
  rows_swapped:
    'To change the order of rows, send move_block with the id of a row and after_block or ' +
    'before_block for each row that moves, or send the whole text as replace_document.',
  rows_and_cells_changed:
    'Send two edits in one request: first the one that changes cells, then the one that adds or ' +
    'removes rows.',
}

export const instructionFor = (reason: string | undefined): string | undefined =>
  reason === undefined ? undefined : byReason[reason]
