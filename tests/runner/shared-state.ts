/**
 * What test files in one process have in common and could change for each other: the working
 * directory, the environment, global names and the handlers of what nobody caught.
 */

export type SharedState = ReadonlyMap<string, unknown>

/** Libraries look for these once, when they are loaded. */
const ofBrowsers = ['window', 'document', 'navigator', 'location']

const handled = ['uncaughtException', 'unhandledRejection']

export function sharedState(): SharedState {
  const state = new Map<string, unknown>([['the working directory', process.cwd()]])
  for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value)
  for (const name of handled) state.set(`handlers of ${name}`, process.listenerCount(name))
  const globals = Object.getOwnPropertyDescriptors(globalThis)
  for (const [name, { value }] of Object.entries(globals)) {
    // Those that node makes when they are first asked for have no value before.
    if (value !== undefined) state.set(`globalThis.${name}`, value)
  }
  return state
}

/** The names of what is other than it was. A library may add a global name when it is loaded. */
export function changesSince(before: SharedState): string[] {
  const after = sharedState()
  const came = [...after.keys()].filter((name) => !before.has(name))
  const isChange = (name: string): boolean =>
    name.startsWith('process.env.') || ofBrowsers.some((one) => name === `globalThis.${one}`)
  return [
    ...[...before.keys()].filter((name) => !Object.is(after.get(name), before.get(name))),
    ...came.filter(isChange),
  ]
}
