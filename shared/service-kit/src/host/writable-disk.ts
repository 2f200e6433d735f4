import { access, constants, statfs } from 'node:fs/promises'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'

/** A commit of the event store, with its write-ahead log, needs less. */
const leastFree = 4 * 2 ** 20

/** Rejects with DependencyUnavailable if a folder takes no writes: its disk is full or was made read-only, or it is not there. */
export async function requireWritable(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await access(folder, constants.W_OK).catch((cause) => {
      throw new DependencyUnavailable(`${folder} cannot be written: ${cause.code ?? cause.message}`, { cause })
    })
    const { bavail, blocks, bsize } = await statfs(folder)
    // File systems without a size, such as a tmpfs without a limit, have no free blocks, either.
    if (blocks > 0 && bavail * bsize < leastFree) throw new DependencyUnavailable(`the disk of ${folder} is full`)
  }
}
