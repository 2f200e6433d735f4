import t from 'tap'
import { importProblems } from './check-imports.ts'

const problemsOf = (imports: Record<string, string[]>) => importProblems(new Map(Object.entries(imports)))

t.test('imports from the outside in are allowed', async (t) => {
  const allowed = {
    'shared/service-kit/src/host/run-service.ts': ['shared/foundation/src/settings/config.ts', 'node:fs', 'nats'],
    'services/gateway/src/start.ts': ['services/gateway/src/http/server.ts', 'shared/service-kit/src/host/health.ts'],
    'deploy/single-node/src/main.ts': ['services/gateway/src/start.ts'],
    'shared/foundation/src/settings/config.test.ts': ['tap', 'test/support/nats-server.ts', 'shared/domain/src/a.ts'],
  }
  t.same(problemsOf(allowed), [])
})

t.test('a client that imports what is not public is reported', async (t) => {
  const exports = 'clients/typescript/src/exports.ts'
  const problems = problemsOf({
    'clients/mcp/src/server.ts': [exports, 'clients/mcp/src/a.ts', 'shared/domain/src/a.ts'],
    'clients/mcp/src/server.test.ts': ['test/support/platen.ts'],
    'cli/src/author/push.ts': [exports],
  })
  t.strictSame(problems, ['clients/mcp/src/server.ts imports another package: shared/domain/src/a.ts'])
})

t.test('a program that reads PDFs is imported by the PDF tools only', async (t) => {
  const [problem, ...more] = problemsOf({
    'services/renderer/src/previews/page-images.ts': ['@hyzyla/pdfium'],
    'services/renderer/src/previews/page-images.test.ts': ['@cantoo/pdf-lib'],
    'shared/pdf-tools/src/pdfium/with-pdfium.ts': ['@hyzyla/pdfium'],
    'shared/pdf-tools/src/images/draw-pages.ts': ['shared/pdf-tools/src/pdfium/with-pdfium.ts'],
    'services/gateway/src/files/draw.ts': ['shared/pdf-tools/src/images/draw-pages.ts'],
  })
  const beyond = 'reads PDFs beyond the process of shared/pdf-tools'
  t.equal(problem, `services/renderer/src/previews/page-images.ts ${beyond}: @hyzyla/pdfium`)
  const drawn = 'shared/pdf-tools/src/images/draw-pages.ts imports @hyzyla/pdfium'
  t.same(more, [`services/gateway/src/files/draw.ts ${beyond}: ${drawn}`])
})

t.test('folders that import each other are reported with one import for each step', async (t) => {
  t.same(
    problemsOf({
      'cli/src/a/one.ts': ['cli/src/b/two.ts'],
      'cli/src/b/other.ts': ['cli/src/c/three.ts'],
      'cli/src/c/three.ts': ['cli/src/a/four.ts'],
    }),
    [
      'folders import each other in a circle: cli/src/a → cli/src/b → cli/src/c → cli/src/a' +
        '\n  cli/src/a/one.ts imports cli/src/b/two.ts' +
        '\n  cli/src/b/other.ts imports cli/src/c/three.ts' +
        '\n  cli/src/c/three.ts imports cli/src/a/four.ts',
    ],
  )
})

t.test('a circle of a folder and one inside it is reported', async (t) => {
  const [problem] = problemsOf({
    'cli/src/stores/open.ts': ['cli/src/stores/sqlite/store.ts'],
    'cli/src/stores/sqlite/store.ts': ['cli/src/stores/port.ts'],
  })
  t.match(problem, 'cli/src/stores → cli/src/stores/sqlite → cli/src/stores')
})

t.test('a circle of upper folders is reported, where no two of the lower ones import each other', async (t) => {
  const [problem] = problemsOf({
    'cli/src/a/x/one.ts': ['cli/src/b/x/two.ts'],
    'cli/src/b/y/three.ts': ['cli/src/a/y/four.ts'],
  })
  t.match(problem, 'cli/src/a → cli/src/b → cli/src/a')
})

t.test('the files of a package of shared/ that are in no folder may be imported, but not in a circle', async (t) => {
  const sqlite = { 'shared/event-store/src/sqlite/store.ts': ['shared/event-store/src/event-store.ts'] }
  t.same(problemsOf(sqlite), [])
  const open = { 'shared/event-store/src/open.ts': ['shared/event-store/src/sqlite/store.ts'] }
  const [problem] = problemsOf({ ...sqlite, ...open })
  t.match(problem, 'shared/event-store/src/sqlite → shared/event-store/src → shared/event-store/src/sqlite')
})

t.test('files that import each other are reported, also if only types are imported', async (t) => {
  const [problem] = problemsOf({ 'cli/src/a/one.ts': ['cli/src/a/two.ts'], 'cli/src/a/two.ts': ['cli/src/a/one.ts'] })
  t.match(problem, 'files import each other in a circle: cli/src/a/one.ts → cli/src/a/two.ts → cli/src/a/one.ts')
})

t.test('imports upwards, of another package and of test support are reported', async (t) => {
  t.same(
    problemsOf({
      'services/gateway/src/http/server.ts': ['services/gateway/src/config.ts'],
      'services/template/src/start.ts': ['services/gateway/src/start.ts'],
      'shared/event-store/src/port/event-store.ts': ['shared/domain/src/template/template.ts'],
      'cli/src/main.ts': ['test/support/nats-server.ts', 'shared/event-store/src/suite/event-store.suite.ts'],
    }),
    [
      'services/gateway/src/http/server.ts imports a file above its folder: services/gateway/src/config.ts',
      'services/template/src/start.ts imports another package: services/gateway/src/start.ts',
      'shared/event-store/src/port/event-store.ts imports another package: shared/domain/src/template/template.ts',
      'cli/src/main.ts imports test support: test/support/nats-server.ts',
      'cli/src/main.ts imports test support: shared/event-store/src/suite/event-store.suite.ts',
    ],
  )
})

t.test("authors' verbs of the command line import no engine", async (t) => {
  const problems = problemsOf({
    'cli/src/author/push.ts': [
      'clients/typescript/src/exports.ts',
      'shared/src/handlebars/scan.ts',
      'shared/src/event-store/event-store.ts',
    ],
    'cli/src/author/list.ts': ['cli/src/frame/command.ts', 'cli/src/operate/trace/trace.ts'],
  })
  t.strictSame(problems, [
    'cli/src/author/push.ts is of authors, and imports the engines: shared/src/event-store/event-store.ts',
    'cli/src/author/list.ts is of authors, and imports the engines: cli/src/operate/trace/trace.ts',
  ])
})
