import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { runCli } from '../../cli/src/testing/run-cli.ts'
import { type Platen, startPlaten } from '../support/platen.ts'

t.setTimeout(300_000)

/** Files below a folder that contain the text. */
function filesWith(text: string, folder: string): string[] {
  try {
    const found = execFileSync('grep', ['-rlaF', text, folder], { encoding: 'utf8' })
    return found
      .trim()
      .split('\n')
      .map((path) => path.slice(folder.length + 1))
  } catch {
    return []
  }
}

const ended = async (platen: Platen, body: object): Promise<Generation> => {
  const made = await platen.json<Generation>('/v1/generate', { body: { ...body, async: true } })
  if (made.status !== 202) throw new Error(JSON.stringify(made.body))
  return (await platen.json<Generation>(`/v1/generations/${made.body.id}?wait=60`)).body
}
const retry = (platen: Platen, id: string, body: object = {}) =>
  platen.json<Generation>(`/v1/generations/${id}/retry`, { body })
const erase = (platen: Platen, id: string) => platen.json(`/v1/generations/${id}/content`, { method: 'DELETE' })

t.test('an erased input is in no file of the data folder, and no backup brings it back', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-erased-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await using platen = await startPlaten()
  const { dataDir } = platen
  const backup = join(folder, 'backup')
  // No word of it is in a PDF, whose texts are compressed, or in a log.
  const canary = 'Nachtigallenschwarm7319'
  const keptText = 'Sommergewitterlied2841'
  const filler = 'x'.repeat(700 * 1_024)
  const template = { name: 'Canary', html: '<p>{{text}}</p>' }
  // While a command waits, nats-server keeps the bytes of those that were handled after it.
  const busy = '<script>const until = Date.now() + 25000; while (Date.now() < until);</script>'
  const running = await platen.json<Generation>('/v1/generate', { body: { html: busy, async: true } })
  await platen.json('/v1/templates', { body: template })
  const small = await ended(platen, { template: 'canary', data: { text: canary }, retain_input: 7 })
  const large = await ended(platen, { html: `<p>${canary}</p><!--${filler}-->`, retain_input: 7 })
  const kept = await ended(platen, { html: '<p>{{text}}</p>', data: { text: keptText }, retain_input: 7 })
  for (const { id, status } of [small, large, kept]) t.equal(status, 'completed', id)
  const again = await retry(platen, large.id, { retain_input: 0 })
  t.equal(again.status, 202, JSON.stringify(again.body))
  t.match((await platen.json(`/v1/generations/${again.body.id}?wait=60`)).body, { status: 'completed' })
  await platen.json('/v1/templates/canary', { method: 'PATCH', body: { html: '<h1>{{text}}</h1>' } })
  const renewed = await retry(platen, small.id, { template_version: 2 })
  t.match((await platen.json(`/v1/generations/${renewed.body.id}?wait=60`)).body, {
    status: 'completed',
    template: { version: 2 },
  })
  t.strictSame(
    filesWith(canary, join(dataDir, 'objects', 'inputs')).filter((path) => !path.includes(again.body.id)),
    [],
  )

  t.match(await runCli({ DATA_DIR: dataDir }, ['backup', backup]), { code: 0 })
  for (const id of [small.id, large.id, again.body.id, renewed.body.id]) t.equal((await erase(platen, id)).status, 200)
  const isRunning = await platen.json<Generation>(`/v1/generations/${running.body.id}`)
  t.match(isRunning.body, { status: 'rendering' }, 'the queue still has its messages in one file')
  // The input of the retry was not kept: its command had it.
  const isOfQueue = (path: string) => /^nats\/jetstream\/\w+\/streams\/COMMANDS\//.test(path)
  t.strictSame(
    filesWith(canary, dataDir).filter((path) => !isOfQueue(path)),
    [],
  )
  t.strictSame(filesWith(keptText, join(dataDir, 'nats')), [], 'no command has an input that is kept')
  t.match(await retry(platen, small.id), { status: 409 })
  t.equal((await retry(platen, kept.id)).status, 202)

  t.strictSame(filesWith(canary, backup).length, 1, 'only the input that was not kept, of the retry, is in the backup')
  await platen.stop()
  t.match(await runCli({ DATA_DIR: dataDir }, ['restore', backup]), { code: 0 })
  await platen.start()
  t.match(await retry(platen, large.id), { status: 409, body: { error: { message: /is not stored any more/ } } })
  t.equal((await retry(platen, kept.id)).status, 202, 'what was not erased is there, with its key')
  await platen.stop()

  const elsewhere = join(folder, 'elsewhere')
  t.match(await runCli({ DATA_DIR: elsewhere }, ['restore', backup]), { code: 0 })
  await using other = await startPlaten({ DATA_DIR: elsewhere })
  t.match(
    await retry(other, kept.id),
    { status: 409, body: { error: { message: /is not stored any more/ } } },
    'no key is in a backup',
  )
})
