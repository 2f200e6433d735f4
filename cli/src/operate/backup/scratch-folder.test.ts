import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openScratchFolder } from './scratch-folder.ts'

t.test(
  'what a killed process has left is removed, and what another user has put there for this one is not followed',
  async (t) => {
    const folder = t.testdir({
      tmp: { 'platen-backup-left': { 'lock.db': '', new: 'x' } },
      own: { 'lock.db': '', kept: '' },
    })
    const { TMPDIR } = process.env
    process.env.TMPDIR = join(folder, 'tmp')
    t.teardown(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    })
    symlinkSync(join(folder, 'own'), join(folder, 'tmp/platen-backup-link'))
    mkdirSync(join(folder, 'tmp/platen-backup-new'))
    const scratch = openScratchFolder()
    writeFileSync(join(scratch.path, 'new'), 'x')
    const second = openScratchFolder()
    t.same((await readdir(join(folder, 'tmp'))).length, 4)
    scratch[Symbol.dispose]()
    second[Symbol.dispose]()
    t.same((await readdir(join(folder, 'tmp'))).sort(), ['platen-backup-link', 'platen-backup-new'])
    t.same((await readdir(join(folder, 'own'))).sort(), ['kept', 'lock.db'])
  },
)
