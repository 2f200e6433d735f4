import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all garbage, or only that of objects made lately, which takes a millisecond or two. */
export type CollectGarbage = (options?: { type: 'minor' }) => void

/** A function that collects the garbage of this thread. */
export function garbageCollector(): CollectGarbage {
  // V8 has no other way to ask for it: https://nodejs.org/api/v8.html#v8setflagsfromstringflags
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
