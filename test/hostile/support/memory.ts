import { readFile } from 'node:fs/promises'
import { descendantsOf } from '../../support/processes.ts'

const pageBytes = 4_096

/** Private memory of the descendants of this process in MB: of the largest one, and of all together. */
export async function privateMemory(): Promise<{ largest: number; sum: number }> {
  const each = (await descendantsOf(process.pid)).map(async ({ pid }) => {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
    const [, resident = 0, shared = 0] = statm.split(' ').map(Number)
    return ((resident - shared) * pageBytes) / 1e6
  })
  const sizes = await Promise.all(each)
  return { largest: Math.max(0, ...sizes), sum: sizes.reduce((sum, size) => sum + size, 0) }
}
