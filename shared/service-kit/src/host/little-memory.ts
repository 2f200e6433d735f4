import { setFlagsFromString } from 'node:v8'

/** With more, Node.js needs nothing of the kind. */
const littleMb = 768

/**
 * In a control group (a container) of at most 768 MB, V8 keeps its heaps small: 70 MB less in the process of `npm start` under load,
 * for up to 40 % more processor time. Else the kernel may kill the process. Returns the limit in MB, if it is that small.
 * To be called before threads start.
 */
export function saveLittleMemory(limitBytes = process.constrainedMemory()): number | undefined {
  const limitMb = limitBytes / 2 ** 20
  // 0: unknown.
  if (limitMb === 0 || limitMb > littleMb) return undefined
  setFlagsFromString('--optimize-for-size')
  return Math.round(limitMb)
}
