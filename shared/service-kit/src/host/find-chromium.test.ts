import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { findChromium } from './find-chromium.ts'

t.test('the headless shell is preferred to a full browser', async (t) => {
  const folder = t.testdir({ chromium: '', 'chromium-headless-shell': '' })
  for (const name of ['chromium', 'chromium-headless-shell']) await chmod(join(folder, name), 0o755)
  t.equal(findChromium(undefined, `/nowhere:${folder}`), join(folder, 'chromium-headless-shell'))
})

t.test('a configured path is used; one that cannot be executed is an error that names the setting', async (t) => {
  const path = join(t.testdir(), 'my-browser')
  t.throws(() => findChromium(path, ''), { message: /CHROMIUM_PATH/ })
  await writeFile(path, '', { mode: 0o755 })
  t.equal(findChromium(path, ''), path)
})
