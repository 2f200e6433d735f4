import { loadedModules } from '@platen/test-support/loaded-modules.ts'
import t from 'tap'

// A process starts several of these threads, and each loads its modules anew.
t.test('a thread for templates loads no library of schemas', async (t) => {
  const loaded = await loadedModules(new URL('worker.ts', import.meta.url))
  t.ok(loaded.some((url) => url.endsWith('/handlebars/templates.ts')))
  t.strictSame(
    loaded.filter((url) => url.includes('/node_modules/typebox/')),
    [],
  )
})
