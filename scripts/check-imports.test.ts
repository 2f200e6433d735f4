import t from 'tap'
import { importProblems, importsOf } from './check-imports.ts'

const problemsOf = (imports: Record<string, string[]>) => importProblems(new Map(Object.entries(imports)))

t.test('specifiers are resolved to paths from the root', async (t) => {
  const source = `
    import { a } from './a.ts'
    import type { B } from '../b/b.ts'
    import '@platen/shared/runtime/config.ts'
    export { c } from '@platen/gateway/start.ts'
    const d = await import('../d.ts')
    import { startNatsServer } from '@platen/test-support/nats-server.ts'
    import t from 'tap'`
  t.same(importsOf('shared/src/host/x.ts', source), [
    'shared/src/host/a.ts',
    'shared/src/b/b.ts',
    'shared/src/runtime/config.ts',
    'services/gateway/src/start.ts',
    'shared/src/d.ts',
    'test/support/nats-server.ts',
    'tap',
  ])
})

t.test('imports from the outside in are allowed', async (t) => {
  const allowed = {
    'shared/src/host/run-service.ts': ['shared/src/runtime/config.ts', 'node:fs', 'nats'],
    'services/gateway/src/start.ts': ['services/gateway/src/http/server.ts', 'shared/src/host/run-service.ts'],
    'deploy/single-node/src/main.ts': ['services/gateway/src/start.ts'],
    'shared/src/runtime/config.test.ts': ['tap', 'test/support/nats-server.ts', 'shared/src/host/run-service.ts'],
  }
  t.same(problemsOf(allowed), [])
})

t.test('folders that import each other are reported with one import for each step', async (t) => {
  t.same(
    problemsOf({
      'shared/src/a/one.ts': ['shared/src/b/two.ts'],
      'shared/src/b/other.ts': ['shared/src/c/three.ts'],
      'shared/src/c/three.ts': ['shared/src/a/four.ts'],
    }),
    [
      'folders import each other in a circle: shared/src/a → shared/src/b → shared/src/c → shared/src/a' +
        '\n  shared/src/a/one.ts imports shared/src/b/two.ts' +
        '\n  shared/src/b/other.ts imports shared/src/c/three.ts' +
        '\n  shared/src/c/three.ts imports shared/src/a/four.ts',
    ],
  )
})

t.test('imports upwards, of another package and of test support are reported', async (t) => {
  t.same(
    problemsOf({
      'services/gateway/src/http/server.ts': ['services/gateway/src/config.ts'],
      'services/template/src/start.ts': ['services/gateway/src/start.ts'],
      'shared/src/runtime/config.ts': ['services/gateway/src/start.ts'],
      'cli/src/main.ts': ['test/support/nats-server.ts', 'shared/src/event-store/event-store.suite.ts'],
    }),
    [
      'services/gateway/src/http/server.ts imports a file above its folder: services/gateway/src/config.ts',
      'services/template/src/start.ts imports another package: services/gateway/src/start.ts',
      'shared/src/runtime/config.ts imports another package: services/gateway/src/start.ts',
      'cli/src/main.ts imports test support: test/support/nats-server.ts',
      'cli/src/main.ts imports test support: shared/src/event-store/event-store.suite.ts',
    ],
  )
})
