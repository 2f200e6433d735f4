import type { JsonObject } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { mergePatch } from './update-template.ts'

/** The cases of RFC 7396, appendix A, whose original and patch are objects. */
const cases: [target: JsonObject, patch: JsonObject, result: JsonObject][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

for (const [target, patch, result] of cases) {
  t.same(mergePatch(target, patch), result, `${JSON.stringify(target)} with ${JSON.stringify(patch)}`)
}
