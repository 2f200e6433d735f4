import t from 'tap'
import { Form } from '../form/form.ts'
import { readRequestFields } from './request-fields.ts'

/** What the form says of headers with these scopes; undefined if it accepts them. */
function problemOf(...scopes: string[]): string | undefined {
  const headers = Object.fromEntries(scopes.map((scope, at) => [`X-${at}`, `v;scope=${scope}`]))
  const form = new Form(new Map([['extraHttpHeaders', [JSON.stringify(headers)]]]), [])
  readRequestFields(form)
  try {
    form.finish()
    return undefined
  } catch (err) {
    return (err as Error).message
  }
}

t.test('a scope is a regular expression that takes linear time', async (t) => {
  t.equal(problemOf('^https?:\\/\\/(.*)\\.example\\.com/', '[0-9]{4}-[0-9]{2}', '(a+)+$'), undefined)
  t.match(problemOf('*a'), "header 'X-0': error parsing regexp: missing argument to repetition operator in `*a`")
  t.match(
    problemOf('a', '^(?!b)'),
    "header 'X-1': error parsing regexp: invalid or unsupported Perl syntax in `^(?!b)`",
  )
  t.match(problemOf('(a)\\1'), 'invalid escape sequence in `(a)\\1`')
})

t.test('scopes that are long when their repetitions are written out are refused', async (t) => {
  t.equal(problemOf(...Array<string>(64).fill(`^https://${'a'.repeat(100)}`)), undefined)
  for (const scopes of [['a{0,1000}'.repeat(2)], ['(((a{10}){10}){10})'], Array<string>(8).fill('(?:ab){100}')])
    t.match(problemOf(...scopes), /scopes of headers are too long, expected at most 8192 characters/)
})
