import t from 'tap'
import { readErrorGuide } from '../../studio/build/error-guide.ts'

t.test('each error of the reference has a meaning and what to do, as plain text', async (t) => {
  const guide = await readErrorGuide()
  t.ok(Object.keys(guide).length > 30)
  for (const [code, { meaning, cure }] of Object.entries(guide)) {
    t.match(code, /^[A-Z][A-Z_]*$/)
    for (const text of [meaning, cure]) t.match(text, /[\w`)]\.$/, code)
    t.notMatch(meaning + cure, /\]\(|\*\*|<!--|^HTTP/, code)
  }
})
