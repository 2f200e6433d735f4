import { fc } from '@platen/test-support/fast-check.ts'
import t from 'tap'
import { Refused } from '../answers/refused.ts'
import { Markdown } from './markdown.ts'

const caller = { owner: 'a', key: 'a' }

t.test('whatever a text is, it has HTML or is refused, and the next one is converted', async (t) => {
  await using markdown = new Markdown()
  const mark = fc.constantFrom(
    ...[
      '# ',
      '> ',
      '* ',
      '1. ',
      '    ',
      '\t',
      '\n',
      '\n\n',
      '`',
      '```',
      '~~',
      '**',
      '_',
      '[',
      '](',
      '][',
      '!',
      '<',
      '&',
      '\\',
      '|',
      '---',
    ],
    ...[
      'a',
      ' ',
      '<script>',
      '<!--',
      '<a href="',
      'http://',
      'x@y.z',
      '\0',
      '\ufeff',
      '\u2028',
      '😀',
      '\ud800',
      '{{ toHTML "a" }}',
    ],
  )
  const repeated = fc.tuple(mark, fc.constantFrom(1, 2, 50, 5_000)).map(([text, times]) => text.repeat(times))
  const texts = fc.array(
    fc.array(fc.oneof(mark, repeated, fc.string()), { maxLength: 40 }).map((parts) => parts.join('')),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  const property = async (given: string[]) => {
    const made = await markdown.convert(caller, given).catch((err: unknown) => err)
    if (made instanceof Refused) return made.status === 400
    return Array.isArray(made) && made.length === given.length && made.every((html) => typeof html === 'string')
  }
  await fc.assert(fc.asyncProperty(texts, property), { numRuns: 60 })
  t.match(await markdown.convert(caller, ['**a**']), ['<p><strong>a</strong></p>\n'])
})

t.test('a list that is nested too deeply is refused', async (t) => {
  await using markdown = new Markdown()
  const deep = Array.from({ length: 900 }, (_, depth) => `${'  '.repeat(depth)}* a`).join('\n')
  await t.rejects(markdown.convert(caller, [deep]), { name: 'Refused', message: /nested too deeply/ })
})
