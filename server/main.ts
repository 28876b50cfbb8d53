/** What `npm start` runs: the bundle of the service, as V8 compiled it when it was built. */
import { compiled, run } from './code-cache.ts'

run(compiled(new URL('./serve.js', import.meta.url)), import.meta.url)
