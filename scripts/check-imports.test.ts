import t from 'tap'
import { importProblems } from './check-imports.ts'

const problemsOf = (imports: Record<string, string[]>) => importProblems(new Map(Object.entries(imports)))

t.test('a service does not import another one', async (t) => {
  t.same(problemsOf({ 'services/template/src/start.ts': ['services/gateway/src/start.ts'] }), [
    'services/template/src/start.ts imports another package: services/gateway/src/start.ts',
  ])
})
