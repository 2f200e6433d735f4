import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t from 'tap'
import { runFiles } from './run-files.ts'

t.test('heavy files run one after the other, and others beside them', async (t) => {
  const log = "new URL('log', import.meta.url)"
  const test = (name: string) =>
    `import { appendFileSync } from 'node:fs'\nimport t from 'tap'\nconst note = (what) => appendFileSync(${log}, what + ' ')\n` +
    `note('${name}+')\nawait new Promise((resolve) => setTimeout(resolve, 200))\nnote('${name}-')\nt.pass('')\n`
  const names = ['heavy1', 'heavy2', 'heavy3', 'light']
  const folder = t.testdir(Object.fromEntries(names.map((name) => [`${name}.test.js`, test(name)])))
  const done: string[] = []
  await runFiles(
    names.map((name) => join(relative(process.cwd(), folder), `${name}.test.js`)),
    {
      jobs: 3,
      timeoutMs: 120_000,
      env: process.env,
      signal: new AbortController().signal,
      isAlone: () => true,
      isHeavy: (file) => file.includes('heavy'),
      onResult: ({ file, ok }) => done.push(`${ok} ${file}`),
    },
  )
  t.equal(done.filter((one) => one.startsWith('true')).length, 4)
  const heavy = (await readFile(join(folder, 'log'), 'utf8')).split(' ').filter((what) => what.startsWith('heavy'))
  t.same(heavy, ['heavy1+', 'heavy1-', 'heavy2+', 'heavy2-', 'heavy3+', 'heavy3-'])
})
