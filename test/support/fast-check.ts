import fc from 'fast-check'
import { seed } from './seed.ts'

/** Random input of the seed of the run, so that a red test can be repeated. */
fc.configureGlobal({ seed })

export type { Arbitrary } from 'fast-check'
export { fc }
