/** The check that a schema is compiled to, when it is first asked for: most are not in a minute. */
import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

export function compiledCheck<S extends TSchema>(schema: S): () => TypeCheck<S> {
  let check: TypeCheck<S> | undefined
  return () => {
    check ??= TypeCompiler.Compile(schema)
    return check
  }
}
