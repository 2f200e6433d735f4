import t from 'tap'
import { importsAndReferencesOf, importsOf } from './imports.ts'

t.test('specifiers are resolved to paths from the root', async (t) => {
  const source = `
    import { a } from './a.ts'
    import type { B } from '../b/b.ts'
    import '@platen/foundation/settings/config.ts'
    export { c } from '@platen/gateway/start.ts'
    const d = await import('../d.ts')
    import { startNatsServer } from '@platen/test-support/nats-server.ts'
    import t from 'tap'`
  t.same(importsOf('shared/service-kit/src/host/x.ts', source), [
    'shared/service-kit/src/host/a.ts',
    'shared/service-kit/src/b/b.ts',
    'shared/foundation/src/settings/config.ts',
    'services/gateway/src/start.ts',
    'shared/service-kit/src/d.ts',
    'test/support/nats-server.ts',
    'tap',
  ])
})

t.test('files and folders that a file names relative to itself are found', async (t) => {
  const source = `
    import { a } from './a.ts'
    new Worker(new URL('worker.ts', import.meta.url))
    readFile(new URL(\`../docs/\${page}\`, import.meta.url))
    const main = join(import.meta.dirname, '../../src/main.ts')
    const root = join(import.meta.dirname, '../..')
    new URL('https://example.org')`
  t.strictSame(importsAndReferencesOf('cli/src/x.ts', source), [
    'cli/src/a.ts',
    'cli/src/worker.ts',
    'cli/docs/',
    'src/main.ts',
    './',
  ])
})
