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

t.test('the payload of an advisory or fix of marked is converted, or refused when its time is up', async (t) => {
  await using markdown = new Markdown()
  const ticks = Array.from({ length: 60 }, (_, at) => `\`\`\`\`code${at}\`\`\`\``).join(' ')
  const rows: [source: string, text: string, result: 'html' | 'refused'][] = [
    ['GHSA-x5pg-88wf-qq4p', `${'`'.repeat(50_000)}a`, 'html'],
    ['GHSA-p9wx-2529-fp83', `<${'a '.repeat(20_000)}`, 'html'],
    ['GHSA-xf5p-87ch-gxw2', `${'a'.repeat(2_000)}@`, 'html'],
    ['GHSA-xf5p-87ch-gxw2', `${'a'.repeat(300_000)}@`, 'refused'],
    ['GHSA-ch52-vgq2-943f', `[${'`a'.repeat(20_000)}](b`, 'html'],
    ['GHSA-4r62-v4vq-hr96', `${'_'.repeat(31)} ${'_'.repeat(20)} ${'_'.repeat(26)} a`, 'html'],
    ['GHSA-rrrm-qjm4-v8hf', `[x]:${' '.repeat(1_500)}x ${' '.repeat(1_500)} x`, 'html'],
    ['GHSA-5v2h-r2cx-5xgj', `[x]: x\n\n${'\\[\\]('.repeat(28)}`, 'html'],
    ['GHSA-6v9c-7cg6-27q7', '\t\v\n', 'html'],
    ['markedjs/marked#3902', 'a[b](c'.repeat(3_000), 'html'],
    ['markedjs/marked#3906', `${'_'.repeat(60_000)} a`, 'html'],
    ['markedjs/marked#3918', `[${ticks}`, 'html'],
    ['markedjs/marked#4013', `[](${' '.repeat(100_000)}`, 'html'],
    ['markedjs/marked#4014', `<!x ${'a>'.repeat(50_000)}`, 'html'],
  ]
  for (const [source, text, result] of rows) {
    const made = await markdown.convert(caller, [text]).catch((err: unknown) => err)
    const named = Array.isArray(made) ? 'html' : made instanceof Refused && made.status === 400 ? 'refused' : made
    t.equal(named, result, `${source}, ${text.length} characters`)
  }
})

t.test('a list that is nested too deeply is refused', async (t) => {
  await using markdown = new Markdown()
  const deep = Array.from({ length: 3_000 }, (_, depth) => `${'  '.repeat(depth)}* a`).join('\n')
  await t.rejects(markdown.convert(caller, [deep]), { name: 'Refused', message: /nested too deeply/ })
})
