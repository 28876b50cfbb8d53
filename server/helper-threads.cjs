/**
 * Loaded before all else (`--require`), while the process has no threads but the main one and those
 * that V8 collects garbage and compiles in. Gives these a lower priority, for the event loop comes
 * first where cores are few: with one core, V8's marking of the heap took half of it for a third of
 * a second at a time, in which keys waited. Where no more can run than there are cores for it
 * changes nothing. Threads that are made later, as those that wait for the disk, have the main
 * one's. Elsewhere than on Linux a priority is that of a process, and is left alone.
 */
const { existsSync, readdirSync } = require('node:fs')
const { getPriority, setPriority } = require('node:os')
const { isMainThread } = require('node:worker_threads')

/** A tenth of what the event loop gets, where both want to run: little, but never nothing. */
const lowerBy = 10
const lowest = 19

const threads = '/proc/self/task'

if (process.platform === 'linux' && isMainThread && existsSync(threads)) {
  const priority = Math.min(lowest, getPriority() + lowerBy)
  for (const thread of readdirSync(threads).map(Number)) {
    if (thread !== process.pid) lower(thread, priority)
  }
}

/**
 * @param {number} thread
 * @param {number} priority
 */
function lower(thread, priority) {
  try {
    setPriority(thread, priority)
  } catch (error) {
    // Some sandboxes let nobody change priorities; the service runs as well.
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
