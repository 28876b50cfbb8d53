/** Both engines keep the contract of the port. */
import { levelDisk, memoryDisk } from './fixtures.ts'
import { storeSuite } from './store-suite.ts'

storeSuite('memory store', memoryDisk)
storeSuite('level store', levelDisk)
