import t from 'tap'
import { readable, withoutControls } from './readable.ts'

t.test('a name is shown as it is, or in quotes where it could not be seen', async (t) => {
  for (const plain of ['a.b', 'größe', '😀', "it's", '__proto__']) t.equal(readable(plain), plain)
  t.equal(readable(''), '""')
  t.equal(readable(' a'), '" a"')
  t.equal(readable('a\n\0'), '"a\\n\\u0000"')
  t.equal(readable('\u009b'), '"\\u009b"')
  t.equal(readable('x'.repeat(101)), `${'x'.repeat(100)}…`)
  t.ok(readable(`${'x'.repeat(99)}😀`).isWellFormed())
})

t.test('an API key is not repeated', async (t) => {
  t.equal(readable('pk_0123456789abcdefghijklmnopqrstuvwxyz'), '[redacted]')
  t.equal(readable(`${'x'.repeat(80)} pk_0123456789abcdefghij`), `${'x'.repeat(80)} [redacted]`)
  t.equal(readable('pk_short'), 'pk_short')
})

t.test('control characters are escaped', async (t) => {
  t.equal(withoutControls('a\0b\u007f\u0085"'), 'a\\u0000b\\u007f\\u0085"')
})
