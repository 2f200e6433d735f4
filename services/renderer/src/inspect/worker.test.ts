import { loadedModules } from '@platen/test-support/loaded-modules.ts'
import t from 'tap'

// A thread starts while its first document waits for it.
t.test('a thread that inspects documents loads no library of schemas', async (t) => {
  const loaded = await loadedModules(new URL('worker.ts', import.meta.url))
  t.ok(loaded.some((url) => url.endsWith('/inspect/survey.ts')))
  t.strictSame(
    loaded.filter((url) => url.includes('/node_modules/typebox/')),
    [],
  )
})
