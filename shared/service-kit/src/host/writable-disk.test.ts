import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { openLoopDisk } from '@platen/test-support/loop-disk.ts'
import t from 'tap'
import { requireWritable } from './writable-disk.ts'

t.test('a folder that is there and has space can be written', async (t) => {
  const folder = t.testdir()
  await requireWritable([folder])
  const gone = join(folder, 'gone')
  await t.rejects(requireWritable([gone]), {
    name: 'DependencyUnavailable',
    message: `${gone} cannot be written: ENOENT`,
  })
})

t.test('a disk that is full, or was made read-only, cannot', async (t) => {
  const opened = await openLoopDisk(32)
  if (typeof opened === 'string') return t.comment(`no loop disk: ${opened}`)
  await using disk = opened
  await requireWritable([disk.folder])
  await disk.fill()
  await t.rejects(requireWritable([disk.folder]), { message: `the disk of ${disk.folder} is full` })
  await disk.drain()
  await requireWritable([disk.folder])
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  await t.rejects(requireWritable([disk.folder]), { message: `${disk.folder} cannot be written: EROFS` })
})

t.test('a file system without a size is not full', async (t) => {
  const folder = t.testdir()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=0,nr_inodes=0', 'platen-test', folder], { stdio: 'pipe' })
  } catch (err) {
    return t.comment(`no tmpfs: ${err}`)
  }
  try {
    await requireWritable([folder])
  } finally {
    execFileSync('umount', [folder])
  }
})
