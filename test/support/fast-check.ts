import * as fc from 'fast-check'
import { seed } from './seed.ts'

/* fast-check with the seed of this run: tests import it from here. */

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })

export * from 'fast-check'
