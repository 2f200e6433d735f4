import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiKey, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { unzipSync } from 'fflate'
import t from 'tap'
import { jsonLines, type RunOptions, runCli } from '../testing/run-cli.ts'

t.setTimeout(600_000)

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const env = { PLATEN_URL: gateway.url, API_KEY: apiKey, DATA_DIR: '/nonexistent' }
const batches = (...args: string[]) => runCli(env, ['batches', ...args])
const batchesWith = (options: RunOptions, ...args: string[]) => runCli(env, ['batches', ...args], options)
const { renderer } = gateway

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `${JSON.stringify({ html: '<p>{{n}}', data: { n: at } })}\n`).join('')

t.test('a batch is created from a file, waited for, and downloaded', async (t) => {
  const folder = t.testdir({ 'items.ndjson': lines(120) })
  const file = join(folder, 'items.ndjson')
  const created = await batches('create', file, '--file-name', 'N {{n}}', '--idempotency-key', 'once', '--json')
  t.equal(created.code, 0, created.stderr)
  const [{ id, total }] = jsonLines(created)
  t.equal(total, 120)
  const again = await batches('create', file, '--file-name', 'N {{n}}', '--idempotency-key', 'once', '--json')
  t.equal(jsonLines(again)[0].id, id)
  t.match(await batches('wait', id), { code: 0, stdout: new RegExp(`${id}  completed .*120 items  120 completed`) })
  t.match(jsonLines(await batches('list', '--last', '1', '--json')), [{ id, counts: { completed: 120 } }])
  t.match(jsonLines(await batches('list', '--since', '1h', '--json')), [{ id }])
  t.match(await batches('list', '--until', '2026-01-01', '--json'), { code: 0, stdout: '' })
  t.match((await batches('show', id)).stdout, '120 completed')
  const items = jsonLines(await batches('items', id, '--json'))
  t.strictSame(
    items.map(({ index, file_name }) => [index, file_name]),
    Array.from({ length: 120 }, (_, at) => [at + 1, `N ${at}`]),
  )
  t.equal((await batches('items', id, '--status', 'failed')).stdout, '')

  const zip = join(folder, 'all.zip')
  t.match(await batches('download', id, '--to', zip), { code: 0, stdout: `${zip}  ` })
  t.equal(Object.keys(unzipSync(await readFile(zip))).length, 120)
  t.match(await batches('download', id, '--to', zip), { code: 1, stderr: 'exists; add --force' })
  t.match(await batches('download', id, '--to', zip, '--force', '--as', 'list', '--json'), { code: 0 })
  t.equal((await readFile(zip, 'utf8')).trim().split('\n').length, 120)
  // The PDFs of the fake renderer have no pages.
  const merged = join(folder, 'all.pdf')
  t.match(await batches('download', id, '--as', 'pdf', '--to', merged), { code: 1, stderr: '(RENDER_FAILED)' })
  t.strictSame((await readdir(folder)).sort(), ['all.zip', 'items.ndjson'], 'nothing of a failed download is left')
})

t.test('a batch is created from the standard input with a template, and cancelled', async (t) => {
  await gateway.call('POST', '/v1/templates', { body: { name: 'Ticket', html: '<p>{{n}}' } })
  renderer.behaviour = 'held'
  const input = '{"data":{"n":1}}\n{"data":{"n":2}}'
  const created = await batchesWith({ input }, 'create', '--template', 'ticket', '--template-version', '1', '--json')
  const [{ id }] = jsonLines(created)
  t.match(await batches('wait', id, '--timeout', '1s'), {
    code: 1,
    stderr: `${id} has not ended in time: 0 of 2 items`,
  })
  t.match(await batches('download', id), { code: 1, stderr: `${id} is running; see batches wait` })
  t.match(await batches('cancel', id, '--dry-run'), { code: 0, stdout: 'would be cancelled' })
  t.match(await batches('cancel', id), { code: 0, stdout: 'cancelling' })
  renderer.behaviour = 'complete'
  renderer.release()
  const waited = await batches('wait', id, '--json')
  const [{ counts }] = jsonLines(waited)
  t.equal(waited.code, counts.cancelled > 0 ? 1 : 0)
  t.equal(counts.completed + counts.cancelled, 2)
})

t.test('a failed item is an exit code and a line, and a refusal names the lines', async (t) => {
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const [{ id }] = jsonLines(await batchesWith({ input: lines(2) }, 'create', '--json'))
  t.match(await batches('wait', id), { code: 1, stdout: '2 failed' })
  renderer.behaviour = 'complete'
  t.match(await batches('items', id), { code: 0, stdout: /^1 {2}failed {2}pdf_\w+ {2}RENDER_FAILED: no/ })
  const refused = { code: 1, stderr: /line 2.*htlm.*\(VALIDATION_ERROR\)/s }
  t.match(await batchesWith({ input: `${lines(1)}{"htlm":"x"}` }, 'create'), refused)
  t.match(await batchesWith({ input: `${lines(1)}[1]` }, 'create', '--dry-run'), {
    code: 1,
    stderr: 'line 2 is no JSON',
  })
  t.match(await batchesWith({ input: lines(3) }, 'create', '--dry-run'), { code: 0, stdout: '3 items would be sent' })
  t.match(await batches('create', '/nonexistent'), { code: 1, stderr: 'there is no file /nonexistent' })
  t.match(await batches('show', 'bat_none'), { code: 1, stderr: '(BATCH_NOT_FOUND)' })
  t.match(await batches('items', id, '--status', 'lost'), { code: 2, stderr: '--status must be one of' })
  t.match(await batches('download', id, '--as', 'tar'), { code: 2, stderr: '--as must be one of zip, pdf, list' })
  const nowhere = { ...env, PLATEN_URL: 'http://127.0.0.1:9' }
  t.match(await runCli(nowhere, ['batches', 'show', id]), { code: 1, stderr: '(NETWORK_ERROR)' })
})
