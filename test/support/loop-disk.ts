import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** An ext4 file system of its own, in a file that is mounted as a loop device. */
export interface LoopDisk extends AsyncDisposable {
  /** Where it is mounted. */
  folder: string
  /** Takes all of its free space. */
  fill(): Promise<void>
  /** Gives that space back. */
  drain(): Promise<void>
  /**
   * Simulates a power failure: each further write fails, and written data that were not flushed are lost, including the
   * journal of the file system.
   */
  cutPower(): Promise<void>
  /** Mounts it again, as after a power cut. Its processes must have ended. */
  restorePower(): Promise<void>
}

/** FS_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH. Node has no ioctl; each Debian has Perl. */
const shutDown =
  'open(my $f, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die "$!\\n"'

/** A text says why this machine cannot have one: only root may mount, and a container often may not. */
export async function openLoopDisk(sizeMb: number): Promise<LoopDisk | string> {
  await using resources = new AsyncDisposableStack()
  const outer = await mkdtemp(join(tmpdir(), 'platen-disk-'))
  resources.defer(() => rm(outer, { recursive: true, force: true, maxRetries: 5 }))
  const [image, folder, ballast] = [join(outer, 'image'), join(outer, 'mounted'), join(outer, 'mounted', 'ballast')]
  const mount = () => run('mount', ['-o', 'loop', image, folder])
  // Busy for a moment while processes that were killed exit.
  const unmount = async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await run('umount', [folder])
      } catch (err) {
        if (tries === 100) throw err
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }
  try {
    await mkdir(folder)
    await run('truncate', ['--size', `${sizeMb}M`, image])
    // No space is kept for root, as whom Platen runs where this is possible.
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', image], { env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` } })
    await mount()
  } catch (err) {
    return err instanceof Error && 'stderr' in err ? String(err.stderr || err.message).trim() : String(err)
  }
  resources.defer(async () => void (await unmount()))
  const disk = resources.move()
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder)
      const kept = 2 ** 20
      if (bavail * bsize > kept) await run('fallocate', ['--length', String(bavail * bsize - kept), ballast])
      const file = await open(ballast, 'a')
      try {
        for (;;) await file.write(Buffer.alloc(4_096)).then(() => file.datasync())
      } catch (err) {
        if (!(err instanceof Error && 'code' in err && err.code === 'ENOSPC')) throw err
      } finally {
        await file.close()
      }
    },
    drain: () => rm(ballast, { force: true }),
    async cutPower() {
      await run('perl', ['-e', shutDown, folder])
    },
    async restorePower() {
      await unmount()
      await mount()
    },
    [Symbol.asyncDispose]: () => disk.disposeAsync(),
  }
}
