import { parse } from 'content-disposition'
import t from 'tap'
import { contentDisposition } from './content-disposition.ts'

t.test('a plain name is in quotes', async (t) => {
  t.equal(contentDisposition('invoice.pdf', 'inline'), 'inline; filename="invoice.pdf"')
})

t.test('a client reads the name as it was given, whatever it contains', async (t) => {
  const names = [
    'a b',
    'a"; filename="evil.exe',
    'a; filename=evil.exe',
    '"',
    'a;b=c',
    "a'b",
    '%22',
    'Ma\u0308rz €',
    '=?x?=',
  ]
  for (const name of names) {
    for (const type of ['inline', 'attachment'] as const) {
      const header = contentDisposition(`${name}.pdf`, type)
      t.match(parse(header), { type, parameters: { filename: `${name}.pdf` } }, header)
      // Every quotation mark but those around the name is escaped.
      t.match(header, /^\w+; filename="(?:[^"\\]|\\["\\])*"(?:; filename\*=UTF-8''[\w.%!#$&+^`|~-]+)?$/)
    }
  }
})
