import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { versionReader } from './version-reader.ts'

t.test('versions are read once, as long as they are not too large together', async (t) => {
  const newest = { id: 'tpl_1', version: 1_000 } as Template
  let reads = 0
  const at = async (_id: string, revision: number) => {
    reads++
    const header_html = 'x'.repeat(revision < 100 ? 10 : 2 ** 20)
    return { id: 'tpl_1', version: revision + 1, header_html } as Template
  }
  const read = versionReader({ at })
  const readAll = async (versions: number[]) => {
    for (const version of versions) await read(newest, version)
    return reads
  }
  const small = [1, 2, 3]
  t.equal(await readAll([...small, ...small]), 3)
  const large = Array.from({ length: 40 }, (_, n) => 101 + n)
  t.equal(await readAll(large), 43)
  t.equal(await readAll(small), 46, 'they were replaced')
  t.equal(await readAll(small), 46)
})
