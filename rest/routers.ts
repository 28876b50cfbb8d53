/**
 * The routes, told apart first by what any router would have to try one after the other: how their
 * paths begin, and of how many parts they are.
 */
import Router, { type RouterMiddleware as Middleware } from '@koa/router'

export class Routers<State> {
  readonly #routers = new Map<string, Router<State>>()

  /** The router for paths like this one, `:name` standing for a part. */
  of(pattern: string): Router<State> {
    const kind = kindOf(pattern)
    const known = this.#routers.get(kind)
    if (known !== undefined) return known
    const router = new Router<State>()
    this.#routers.set(kind, router)
    return router
  }

  /** Where no route is meant, the next middleware is. */
  middleware(): Middleware<State> {
    const middlewares = new Map(
      Array.from(this.#routers, ([kind, router]) => [kind, router.routes()]),
    )
    return (ctx, next) => middlewares.get(kindOf(ctx.path))?.(ctx, next) ?? next()
  }

  /** The methods of the routes with this path; none: there is no such path. */
  methodsOf(path: string): ReadonlySet<string> {
    const layers = this.#routers.get(kindOf(path))?.match(path, '').path ?? []
    return new Set(layers.flatMap((layer) => layer.methods))
  }
}

/** A router knows no cases, and lets a path end in a slash. */
function kindOf(path: string): string {
  const [first = '', ...more] = path.split('/').filter((part) => part !== '')
  return `${first.toLowerCase()} ${more.length}`
}
