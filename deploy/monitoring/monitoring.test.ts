import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFileSync(`${folder}${name}`, 'utf8')

/** The names of the metrics in the code of the services. */
function metricsOfTheCode(): Set<string> {
  const found = execFileSync('git', ['grep', '-ohE', "'platen_[a-z_]+'", '--', 'shared', 'services'], { cwd: root })
  return new Set([...found.toString().matchAll(/platen_[a-z_]+/g)].map(([name]) => name))
}

t.test('the dashboard and the alerts use metrics that exist', async (t) => {
  const known = metricsOfTheCode()
  t.ok(known.size > 20)
  for (const file of ['dashboard.json', 'alerts.yaml']) {
    const used = new Set([...read(file).matchAll(/platen_[a-z_]+/g)].map(([name]) => name))
    for (const name of used) t.ok(known.has(name.replace(/_(count|sum|bucket)$/, '')), `${file}: ${name}`)
  }
})

t.test('each alert has a page in docs/operate/runbooks, and each page an alert', async (t) => {
  const { groups } = parse(read('alerts.yaml'))
  const rules: { alert: string; annotations: { runbook_url: string } }[] = groups[0].rules
  const pages = readdirSync(`${root}docs/operate/runbooks`).filter((name) => name !== 'README.md')
  t.strictSame(new Set(pages), new Set(rules.map(({ alert }) => `${alert}.md`)))
  for (const page of pages) {
    const text = readFileSync(`${root}docs/operate/runbooks/${page}`, 'utf8')
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    t.strictSame(headings, ['What it means', 'How to see it', 'What to do', 'When it is over'], page)
  }
  const [, repository] = /git clone (\S+)\.git/.exec(readFileSync(`${root}docs/operate/one-machine.md`, 'utf8')) ?? []
  const base = `{{ with $externalLabels.runbooks }}{{ . }}{{ else }}${repository}/blob/main/docs{{ end }}`
  for (const { alert, annotations } of rules) t.equal(annotations.runbook_url, `${base}/operate/runbooks/${alert}.md`)
})

t.test('the files can be read', async (t) => {
  const { panels, uid } = JSON.parse(read('dashboard.json'))
  t.equal(uid, 'platen')
  t.equal(new Set(panels.map(({ title }: { title: string }) => title)).size, panels.length)
  const kinds = parseAllDocuments(read('service-monitor.yaml')).map((document) => document.toJS().kind)
  t.strictSame(kinds, ['Service', 'ServiceMonitor'])
})

const skip = spawnSync('promtool', ['--version']).error ? 'promtool is not installed' : false

t.test('promtool accepts the rules, and they fire when they should', { skip }, async (t) => {
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
    t.equal(status, 0, `${args.join(' ')}\n${stdout}${stderr}`)
  }
})
