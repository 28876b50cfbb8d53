/** All engines keep the contract of the port. */
import { hasPostgres } from '../../postgres/databases.ts'
import { levelDisk, memoryDisk, postgresDisk } from './fixtures.ts'
import { storeSuite } from './store-suite.ts'

storeSuite('memory store', memoryDisk)
storeSuite('level store', levelDisk)
storeSuite('postgres store', postgresDisk, hasPostgres)
