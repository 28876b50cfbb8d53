/**
 * Loaded before all else in the processes that tests start: when the channel to the one that
 * started it closes, however that ended, this process is nobody's, and ends. It keeps none alive.
 */
const end = () => process.exit(1)
process.on('disconnect', end)
if (process.connected === false) end()
process.channel?.unref()
