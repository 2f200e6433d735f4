import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { builtFile } from './built-scripts.ts'

t.test('scripts of other sources, and none, are not used', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-page-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await cp(import.meta.dirname, join(folder, 'src/page'), { recursive: true })
  await cp(dirname(builtFile), join(folder, 'dist'), { recursive: true })
  const load = (time: number) => import(join(folder, `src/page/run-in-page.ts?${time}`))
  await t.resolves(load(1))
  await appendFile(join(folder, 'src/page/dom/dom.ts'), '\n')
  await t.rejects(load(2), { message: /pages are not those of these sources: run npm run setup/ })
  await rm(join(folder, 'dist'), { recursive: true })
  await t.rejects(load(3), { message: /pages were not built: run npm run setup/ })
})
