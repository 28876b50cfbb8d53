/**
 * The text in a file: UTF-8, or what its byte order mark says. What is no such text is told, and
 * never guessed. Needs no DOM.
 */

/** `undefined`: it is none. Line ends are `\n`, and the mark is gone. */
export function textIn(bytes: Uint8Array): string | undefined {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true })
  try {
    const text = decoder.decode(bytes).replace(/\r\n?/g, '\n')
    // No text has it, but for one whose characters have two or four bytes and no mark.
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
