import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { affectedTests, changedSince } from './changed-files.ts'

const graph: Record<string, string[]> = {
  'shared/domain/src/slug.ts': [],
  'shared/domain/src/slug.test.ts': ['shared/domain/src/slug.ts', 'tap'],
  'services/gateway/src/http/routes.ts': ['shared/domain/src/slug.ts'],
  'services/gateway/src/http/routes.test.ts': ['test/support/gateway.ts'],
  'services/gateway/src/views/view.ts': ['services/gateway/src/views/worker.ts'],
  'services/gateway/src/views/worker.ts': ['shared/domain/src/slug.ts'],
  'services/gateway/src/views/view.test.ts': ['services/gateway/src/views/view.ts'],
  'services/gateway/src/start.ts': ['services/gateway/src/http/routes.ts'],
  'test/support/gateway.ts': ['services/gateway/src/start.ts'],
  'test/support/data.ts': ['examples/data.json'],
  'test/features/data.test.ts': ['test/support/data.ts', 'test/support/gateway.ts'],
  'test/features/examples.test.ts': ['examples/', './'],
  'test/docs/links.test.ts': [],
  'shared/page/src/built.ts': ['shared/page/src/scripts/'],
  'shared/page/src/built.test.ts': ['shared/page/src/built.ts'],
  'shared/page/src/scripts/script.ts': ['shared/page/src/scripts/part.ts'],
}
const affectedBy = (...changed: string[]) =>
  affectedTests({ files: Object.keys(graph), importsOf: (file) => graph[file] ?? [], changed })

t.test('a changed test is itself, and comes first', async (t) => {
  t.strictSame(affectedBy('shared/domain/src/slug.ts', 'services/gateway/src/views/view.test.ts'), [
    'services/gateway/src/views/view.test.ts',
    'shared/domain/src/slug.test.ts',
  ])
})

t.test('tests that import a changed file are found, but not those that start the whole program', async (t) => {
  t.strictSame(affectedBy('shared/domain/src/slug.ts'), [
    'shared/domain/src/slug.test.ts',
    'services/gateway/src/views/view.test.ts',
  ])
})

t.test('tests of what names the folder of a script that nothing imports are found', async (t) => {
  for (const name of ['script.ts', 'part.ts']) {
    t.strictSame(affectedBy(`shared/page/src/scripts/${name}`), ['shared/page/src/built.test.ts'])
  }
})

t.test('tests in the folder of a changed file of the product are found', async (t) => {
  t.strictSame(affectedBy('services/gateway/src/http/routes.ts'), ['services/gateway/src/http/routes.test.ts'])
  t.strictSame(affectedBy('services/gateway/src/http/removed.ts'), ['services/gateway/src/http/routes.test.ts'])
})

t.test('tests that import changed support are found, also if it starts a program', async (t) => {
  t.strictSame(affectedBy('test/support/gateway.ts'), [
    'services/gateway/src/http/routes.test.ts',
    'test/features/data.test.ts',
  ])
})

t.test('tests that name a changed file or a folder of it are found', async (t) => {
  t.strictSame(affectedBy('examples/data.json'), ['test/features/examples.test.ts', 'test/features/data.test.ts'])
  t.strictSame(affectedBy('deploy/values.yaml'), [])
})

t.test('tests of the documents are found for a page', async (t) => {
  t.strictSame(affectedBy('docs/README.md'), ['test/docs/links.test.ts'])
  t.strictSame(affectedBy('CHANGELOG.md'), ['test/docs/links.test.ts'])
})

t.test(
  'all tests are found for the lockfile and the test runner, and those of a package for its package.json',
  async (t) => {
    const all = Object.keys(graph).filter((file) => file.endsWith('.test.ts'))
    for (const path of ['package.json', 'pnpm-lock.yaml', 'tsconfig.json', 'scripts/test-runner/main.ts'])
      t.strictSame(affectedBy(path), all.toSorted(), path)
    t.strictSame(affectedBy('shared/domain/package.json'), ['shared/domain/src/slug.test.ts'])
  },
)

t.test('files that are committed, changed, removed and new since a branch began are found', async (t) => {
  const root = t.testdir({ 'kept.ts': '', 'removed.ts': '', 'changed.ts': '', 'with space.ts': '' })
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: root, stdio: 'ignore' })
  const commit = () => git('commit', '--all', '--message', 'one')
  git('init', '--initial-branch=main')
  git('add', '.')
  commit()
  git('switch', '--create', 'work')
  writeFileSync(join(root, 'with space.ts'), '1')
  commit()
  git('switch', 'main')
  writeFileSync(join(root, 'kept.ts'), '1')
  commit()
  git('switch', 'work')
  git('rm', 'removed.ts')
  writeFileSync(join(root, 'changed.ts'), '1')
  writeFileSync(join(root, 'new.ts'), '1')
  t.strictSame(changedSince(root, 'main'), ['changed.ts', 'removed.ts', 'with space.ts', 'new.ts'])
  t.throws(() => changedSince(root, 'no-such-branch'))
})
