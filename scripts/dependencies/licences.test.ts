import t from 'tap'
import { isAllowed, licenceProblems } from './licences.ts'

t.test('one of the alternatives of an expression must be allowed, and each of its parts', async (t) => {
  for (const licence of ['MIT', '(MPL-2.0 OR Apache-2.0)', '(BSD-3-Clause AND Apache-2.0)'])
    t.ok(isAllowed(licence), licence)
  for (const licence of [
    '',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(MIT OR ISC) AND GPL-3.0-only',
    'SEE LICENSE IN x',
  ])
    t.notOk(isAllowed(licence), licence)
})

t.test('a package with another licence, or with none, is named', async (t) => {
  const one = (name: string, licence: string) => ({ name, version: '1.0.0', licence })
  t.same(licenceProblems([one('a', 'MIT'), one('axe-core', 'MPL-2.0')]), [])
  t.same(licenceProblems([one('a', 'MPL-2.0'), one('b', ''), one('axe-core', 'GPL-3.0-only')]), [
    'a@1.0.0 has the licence MPL-2.0, which scripts/dependencies/licences.ts does not allow',
    'b@1.0.0 has no licence in its package.json, which scripts/dependencies/licences.ts does not allow',
    'axe-core@1.0.0 has the licence GPL-3.0-only, which scripts/dependencies/licences.ts does not allow',
  ])
})
