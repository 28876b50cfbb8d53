/**
 * Interface §4, §7: the route that is meant and the methods that a path has are those that one
 * router for all routes finds, however the path is written.
 */
import Router from '@koa/router'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Routers } from '../../../rest/routers.ts'
import { routes } from '../../../rest/routes/all.ts'
import { Tally } from '../../tally.ts'

const seed = 20_263
const runs = process.env['LONG'] ? 100_000 : 3_000

const patterns = routes.map(({ declaration }) => declaration.path)
const one = new Router()
const several = new Routers()
for (const { declaration } of routes) {
  const { path, method } = declaration
  for (const router of [one, several.of(path)]) router.register(path, [method], () => {})
}

const words = [...new Set(patterns.flatMap((path) => path.split(/[/:]/)))]
const part = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...words).map((word) => word.toUpperCase()),
  fc.constantFrom('', '.', '..', '%2f', 'd%6Fcs', 'x.json', '@', 'ſ', 'a b'),
  fc.string({ maxLength: 3 }),
)
const filled = fc
  .tuple(fc.constantFrom(...patterns), part)
  .map(([pattern, word]) => pattern.replace(/:\w+/g, () => word))
const paths = fc.oneof(
  filled,
  filled.map((path) => `${path}/`),
  filled.map((path) => path.toUpperCase()),
  fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
)
const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'XYZ')

test('each path leads where it would if all routes were tried', () => {
  const tally = new Tally()
  const property = fc.property(paths, methods, (path, method) => {
    const wanted = one.match(path, method)
    const isPath = wanted.path.length > 0
    tally.add(wanted.route ? 'route' : isPath ? 'other method' : 'no path')
    const got = several.of(path).match(path, method)
    const told = (match: typeof got) => match.pathAndMethod.map((layer) => layer.path)
    assert.equal(told(got), told(wanted), path)
    const all = new Set(wanted.path.flatMap((layer) => layer.methods))
    assert.equal(several.methodsOf(path), all, path)
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} routers`, { route: runs / 20, 'other method': runs / 5, 'no path': runs / 5 })
})

test.run()
