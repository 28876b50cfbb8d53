/** A command's settings: those of its environment, or one line on stderr and the exit code 2. */
import { type Config, ConfigError, readConfig } from './config.ts'

export function settings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
