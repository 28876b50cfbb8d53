/** Runs it so long after the next frame is drawn: whoever presses a key meanwhile does not wait. */
export function afterFrame(run: () => void, ms: number): void {
  // Within the frame's own task a timer would begin before it is laid out and painted.
  requestAnimationFrame(() => setTimeout(() => setTimeout(run, ms)))
}
