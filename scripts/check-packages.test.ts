import t from 'tap'
import { type Package, packageProblems, specifiersOf } from './check-packages.ts'

const store: Package = {
  folder: 'shared/event-store',
  name: '@platen/event-store',
  exports: { './port.ts': './src/port.ts' },
  dependencies: ['@platen/foundation'],
  devDependencies: [],
}
const used = [
  { file: 'shared/event-store/src/port.ts', specifiers: ['@platen/foundation/json/json.ts', 'node:fs', './a.ts'] },
  { file: 'cli/src/main.ts', specifiers: ['@platen/event-store/port.ts'] },
]

t.test('specifiers of all forms are found', async (t) => {
  const source = `import a from 'a'
import {
  b,
} from 'b/c.ts'
import type { D } from '@d/d/e.ts'
export { f } from 'f'
const text = "not from 'here'"
const g = await import('g')`
  t.same(specifiersOf(source), ['a', 'b/c.ts', '@d/d/e.ts', 'f', 'g'])
})

t.test('a package whose exports and dependencies are used has no problem', async (t) => {
  t.same(packageProblems([store], used), [])
})

t.test('an export that nothing imports, and wrong dependencies, are named with what to do', async (t) => {
  const problems = packageProblems(
    [{ ...store, exports: { ...store.exports, './inner.ts': './src/inner.ts' }, dependencies: ['minio'] }],
    [...used, { file: 'shared/event-store/src/port.test.ts', specifiers: ['tap'] }],
  )
  t.same(problems, [
    'shared/event-store/package.json: no other package imports ./inner.ts; remove it from "exports"',
    'shared/event-store/package.json: add @platen/foundation to "dependencies", as the sources import it',
    'shared/event-store/package.json: remove minio from "dependencies", as no source imports it',
  ])
})
