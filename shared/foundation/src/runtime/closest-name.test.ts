import t from 'tap'
import { closestName } from './closest-name.ts'

const known = ['html', 'header_html', 'template', 'template_version', 'data', 'wait_for', 'formatDate', 'each', 'eq']

t.test('the closest name is found for common mistakes', async (t) => {
  const cases: Record<string, string> = {
    htlm: 'html',
    headerHtml: 'header_html',
    Template: 'template',
    tempalte: 'template',
    templateVersion: 'template_version',
    'wait-for': 'wait_for',
    dta: 'data',
    date: 'data',
    foreach: 'each',
    version: 'template_version',
  }
  for (const [wrong, meant] of Object.entries(cases)) t.equal(closestName(wrong, known), meant, wrong)
})

t.test('nothing is suggested for other names', async (t) => {
  for (const name of ['', 'x', 'a1', 'foo', 'constructor', 'author', 'x'.repeat(100_000)]) {
    t.equal(closestName(name, known), undefined, name.slice(0, 20))
  }
})
