/** All engines keep the contract of the port. */
import { hasPostgres, isGivenPostgres } from '../../../postgres/databases.ts'
import { levelDisk, memoryDisk, pooledDisk, postgresDisk } from '../fixtures.ts'
import { storeSuite } from '../store-suite.ts'

storeSuite('memory store', memoryDisk)
storeSuite('level store', levelDisk)
storeSuite('postgres store', postgresDisk, hasPostgres)
storeSuite('postgres store behind a pooler', pooledDisk, hasPostgres && !isGivenPostgres)
