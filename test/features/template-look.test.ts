import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

const platen = await ownerOfSharedPlaten()
const create = (body: object) => platen.json<Template>('/v1/templates', { body })
const patch = (slug: string, body: object) => platen.json<Template>(`/v1/templates/${slug}`, { method: 'PATCH', body })

t.test('a template prints with its own paper, header and footer, and a request overrides them', async (t) => {
  await create({
    name: 'Looks',
    html: '<p>Body {{n}}</p>',
    options: { format: 'A5', margin: { top: 30 } },
    header_html: '<b>Head {{n}}</b>',
    footer_html: '<b>Foot</b>',
  })
  const print = async (request: object) => {
    const [page] = await readPdf((await generate(platen, { template: 'looks', data: { n: 7 }, ...request })).pdf)
    return { text: page?.text.replace(/\s+/g, ' '), width: page?.widthMm }
  }
  const own = await print({})
  t.equal(own.width, 148)
  for (const text of ['Head 7', 'Body 7', 'Foot']) t.match(own.text, text)
  const overridden = await print({ options: { format: 'A4', header_html: 'Other {{n}}', footer_html: '' } })
  t.equal(overridden.width, 210)
  t.match(overridden.text, 'Other 7')
  t.notMatch(overridden.text, /Head|Foot/)
  await patch('looks', { options: null, header_html: null })
  const without = await print({})
  t.equal(without.width, 210)
  t.notMatch(without.text, /Head/)
  const first = await print({ template_version: 1 })
  t.strictSame(first, own, 'an older version keeps its look')
})

t.test('while a template is changed, each document is printed with one version of its source and look', async (t) => {
  const versionOf = (n: number) => ({
    html: `<p>Body ${n}.</p>`,
    header_html: `<p>Head ${n}.</p>`,
    options: { format: n % 2 === 0 ? 'A5' : 'A4' },
  })
  await create({ name: 'Changing', ...versionOf(1) })
  let isOver = false
  const changing = async () => {
    for (let n = 2; !isOver; n++) t.equal((await patch('changing', versionOf(n))).status, 200)
  }
  const changes = changing()
  const printing = async () => {
    for (let count = 0; count < 8; count++) {
      const { pdf, generation } = await generate(platen, { template: 'changing' })
      const [page] = await readPdf(pdf)
      const version = generation.template?.version ?? 0
      const seen = [...(page?.text ?? '').matchAll(/(Body|Head) (\d+)\./g)].map(([, what, n]) => `${what} ${n}`)
      t.strictSame(seen.sort(), [`Body ${version}`, `Head ${version}`])
      t.equal(page?.widthMm, version % 2 === 0 ? 148 : 210)
    }
  }
  await Promise.all(Array.from({ length: 4 }, printing)).finally(() => {
    isOver = true
  })
  await changes
})
