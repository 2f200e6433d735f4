import { randomUUID } from 'node:crypto'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { startGuardedEngines } from '@platen/test-support/engines.ts'
import t from 'tap'
import { jsonLines, runCli } from './testing/run-cli.ts'

t.setTimeout(600_000)
const log = createLogger('test', 'silent')

t.test('the commands work with EventStoreDB, S3 and a NATS with accounts', async (t) => {
  await using engines = await startGuardedEngines()
  const env: Record<string, string> = { ...engines.settings, ...engines.operators, NATS_MANAGE_STREAMS: 'true' }
  const platen = (...args: string[]) => runCli(env, args)
  t.match(await platen('streams', 'setup'), { code: 0 })
  t.match(await platen('streams', 'check'), { code: 0 })
  const store = await openEventStore(env.EVENT_STORE_URL ?? '')
  t.teardown(() => store.close())
  // A real event store has the events of earlier runs.
  const since = new Date().toISOString()
  const id = newId('pdf')
  const request = newId('req')
  const event = (type: string, data: object) => ({
    id: randomUUID(),
    type,
    data: { ...data },
    metadata: { correlation_id: request },
  })
  const requested = event('GenerationRequested', {
    owner_id: 'own_default',
    api_key_id: 'key_1',
    metadata: { data_subject: request },
  })
  const failed = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
  await store.append(`generation-${id}`, [requested, failed], 'none')

  for (const known of [id, request, failed.id]) {
    const { code, stdout } = await platen('trace', known, '--json')
    t.equal(code, 0, known)
    t.match(JSON.parse(stdout), { timeline: [{ type: 'GenerationRequested' }, { type: 'GenerationFailed' }] })
  }
  t.match(await platen('trace', newId('pdf')), { code: 1, stderr: 'the event store has nothing about' })
  const [first] = jsonLines(await platen('events', '--correlation', request))
  t.match(jsonLines(await platen('events', '--from', first.position, '--type', 'GenerationFailed')), [
    { id: failed.id },
  ])
  t.match(JSON.parse((await platen('replay', '--since', since, '--json')).stdout), {
    events: 2,
    stream: 'REPLAY',
    complete: true,
  })
  t.match(JSON.parse((await platen('erase', '--data-subject', request, '--json')).stdout), {
    generations: [{ objects: [] }],
  })
  t.match(JSON.parse((await platen('generations', 'show', id, '--json')).stdout), { status: 'failed' })
  t.match(await platen('generations', 'retry', id), {
    code: 1,
    stderr: `the content of ${id} was erased`,
  })
  t.match(jsonLines(await platen('relay', 'status', '--json')), [{ state: 'unused' }, {}, {}])
  t.match(await platen('dead-letters', 'list'), { code: 0, stdout: 'no dead letters' })
  const bus = await openBus({ url: env.NATS_URL ?? '', user: 'operators', password: env.NATS_PASSWORD }, 'test', log)
  t.teardown(() => bus[Symbol.asyncDispose]())
  await bus.js.publish('dead-letters.commands.template.tpl_1', 'no command')
  const byService = (...args: string[]) => runCli(engines.settings, ['dead-letters', ...args])
  t.match(await byService('retry', '--all'), { code: 1, stderr: /is not a command/ })
  t.match(await platen('dead-letters', 'drop', '--all'), { code: 0, stdout: /removed/ })
  t.match(await platen('backup', t.testdir({})), {
    code: 1,
    stderr: 'use the backup of your EventStoreDB and of your S3',
  })
  const findings = jsonLines(await platen('doctor', '--json'))
  for (const name of ['event store', 'object store', 'assets', 'nats', 'streams', 'clock']) {
    t.match(
      findings.find((finding) => finding.name === name),
      { state: /ok|note/ },
      name,
    )
  }
  const wrong = await runCli({ ...env, NATS_PASSWORD: 'wrong', OBJECT_STORE_SECRET_KEY: 'wrong' }, ['doctor'])
  t.match(wrong, { code: 1, stdout: /wrong +nats .*see that NATS_URL and its login are right/ })
  t.notMatch(wrong.stdout, 'p-operators')
})
