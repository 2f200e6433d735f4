import t from 'tap'
import { fileOf, readPage } from './page.ts'

const files = [
  'docs/guides/paper.md',
  'docs/pictures/a.png',
  'docs/openapi.json',
  'examples/README.md',
  'examples/report/template.html',
  'shared/domain/src/a.ts',
  'LICENSE',
]
const isFile = async (path: string) => files.includes(path)
const rewritten = async (source: string) => (await readPage({ path: 'docs/start/next.md', source, isFile })).text

t.test('a link leads to the page or the file of the site', async (t) => {
  for (const [link, expected] of [
    ['[a](../guides/paper.md#sizes)', '[a](./../guides/paper.md#sizes)'],
    ['[a](../../examples/README.md)', '[a](./../examples/index.md)'],
    ['![a](../pictures/a.png)', '![a](./../pictures/a.png)'],
    ['[`a[0]`](../openapi.json)', '[`a[0]`](/openapi.json)'],
    ['[a](../../examples/report/template.html)', '[a](/examples/report/template.html.txt)'],
    ['[a](../../LICENSE), [b](#b)', '[a](/LICENSE.txt), [b](#b)'],
    ['[a](https://example.com/a.md)', '[a](https://example.com/a.md)'],
  ] as const) {
    t.equal(await rewritten(`so: ${link}.\n`), `so: ${expected}.\n`)
  }
})

t.test('a link to a source of Platen or to a folder becomes its text', async (t) => {
  t.equal(
    await rewritten('see [a.ts](../../shared/domain/src/a.ts) and [all](../../examples).\n'),
    'see a.ts and all.\n',
  )
})

t.test('code stays as it is, and marks of generated parts are left out', async (t) => {
  const code = '```md\n[a](../guides/paper.md)\n```\n'
  t.equal(await rewritten(`<!-- settings -->\n${code}[a](../guides/paper.md)\n`), `${code}[a](./../guides/paper.md)\n`)
})

t.test('what a page leads to is part of the site, and no two files have one place', async (t) => {
  const source = '[a](../guides/paper.md), [b](../../LICENSE), [c](../../shared/domain/src/a.ts)\n'
  const page = await readPage({ path: 'docs/start/next.md', source, isFile })
  t.same(page.files, ['docs/guides/paper.md', 'LICENSE'])
  t.not(fileOf('README.md'), fileOf('docs/README.md'))
})
