import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { packFolder, sha256, writeSums } from './archives.ts'

t.test('folders with the same files give the same archive, whatever their order, times and modes', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'platen-archives-'))
  t.teardown(() => rm(parent, { recursive: true, force: true }))
  const files = ['a.txt', 'b/c.txt', 'z.txt']
  const hashes: string[] = []
  for (const [folder, names, mode] of [
    ['one', files, 0o644],
    ['two', files.toReversed(), 0o600],
  ] as const) {
    await mkdir(join(parent, folder, 'b'), { recursive: true })
    for (const name of names) {
      await writeFile(join(parent, folder, name), name)
      await chmod(join(parent, folder, name), mode)
      await utimes(join(parent, folder, name), mode, mode)
    }
    await writeFile(join(parent, folder, 'left-out'), folder)
    const archive = join(parent, `${folder}.tar.gz`)
    await packFolder(join(parent, folder), archive, { epoch: 1_800_000_000, except: ['left-out'] })
    hashes.push(sha256(await readFile(archive)))
  }
  t.equal(hashes[0], hashes[1])
})

t.test('SHA256SUMS lists all files but itself', async (t) => {
  const out = t.testdir({ 'b.txt': '', a: { 'c.txt': 'abc' }, SHA256SUMS: 'old' })
  await writeSums(out)
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  t.equal(await readFile(join(out, 'SHA256SUMS'), 'utf8'), `${abc}  a/c.txt\n${empty}  b.txt\n`)
})
