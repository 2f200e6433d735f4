import { randomUUID } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deliveryId } from '@platen/domain/delivery/delivery-record.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import t from 'tap'
import { runCli } from '../../testing/run-cli.ts'

t.test('trace shows the way of a document from the request to the webhook, for each id that it has', async (t) => {
  const dataDir = t.testdir({})
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const generation = newId('pdf')
  const request = newId('req')
  const command = randomUUID()
  const key = `pdfs/${generation}.5c1e0fd29a7b3846.pdf`
  const at = (ms: number) => new Date(Date.parse('2026-01-31T12:00:00.000Z') + ms).toISOString()
  const event = (type: string, ms: number, data: object, cause: string = command) => ({
    id: randomUUID(),
    type,
    data: { ...data },
    metadata: { time: at(ms), correlation_id: request, causation_id: cause },
  })
  const url = 'https://example.com/hook?token=secret'
  const owned = { owner_id: 'own_default', api_key_id: 'key_1' }
  const template = { id: 'tpl_1', version: 3, slug: 'invoice' }
  const completed = event('GenerationCompleted', 300, {
    object_key: key,
    pages: 2,
    size: 5,
    sha256: 'a'.repeat(64),
    duration_ms: 180,
    engine: { name: 'chromium', version: '1', mode: 'static' },
    warnings: [],
  })
  await store.append(
    `generation-${generation}`,
    [
      event('GenerationRequested', 0, { ...owned, template, webhook_url: url }),
      event('GenerationStarted', 120, { renderer: 'renderer-1' }),
      completed,
    ],
    'none',
  )
  const delivery = deliveryId(completed.id, url)
  const body = '{"type":"generation.completed"}'
  const scheduled = {
    generation_id: generation,
    ...owned,
    url,
    event_id: completed.id,
    body,
    next_at: at(310),
  }
  await store.append(
    `delivery-${delivery}`,
    [
      event('DeliveryScheduled', 310, scheduled, 'another'),
      event('DeliverySucceeded', 400, { attempt: 1, status: 200, duration_ms: 70 }, 'another'),
    ],
    'none',
  )
  await mkdir(join(dataDir, 'objects', 'pdfs'), { recursive: true })
  await writeFile(join(dataDir, 'objects', key), '%PDF-')

  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  for (const id of [generation, delivery, request]) {
    const { code, stdout } = await platen('trace', id, '--json')
    t.equal(code, 0)
    const { timeline, ...summary } = JSON.parse(stdout)
    t.match(summary, {
      id,
      request_ids: [request],
      command_ids: [command, 'another'],
      subjects: [generation, delivery],
    })
    t.strictSame(
      timeline
        .filter(({ type }: { type: string }) => type !== 'object')
        .map(({ type, offset_ms }: { type: string; offset_ms: number }) => [type, offset_ms]),
      [
        ['GenerationRequested', 0],
        ['GenerationStarted', 120],
        ['GenerationCompleted', 300],
        ['DeliveryScheduled', 310],
        ['DeliverySucceeded', 400],
      ],
    )
    t.match(
      timeline.find(({ type }: { type: string }) => type === 'object'),
      { subject: key, what: 'file stored, 5 bytes' },
    )
  }
  for (const id of [completed.id, command]) {
    t.match(JSON.parse((await platen('trace', id, '--json')).stdout).subjects, [generation, delivery])
  }
  const firstSteps = async (modifiedMs: number) => {
    const modifiedS = Date.parse(at(modifiedMs)) / 1_000
    await utimes(join(dataDir, 'objects', key), modifiedS, modifiedS)
    const { timeline } = JSON.parse((await platen('trace', generation, '--json')).stdout)
    return timeline.slice(0, 4).map(({ type, offset_ms }: { type: string; offset_ms: number }) => [type, offset_ms])
  }
  const withFileAt = (ms: number) => [
    ['GenerationRequested', 0],
    ['GenerationStarted', 120],
    ['object', ms],
    ['GenerationCompleted', 300],
  ]
  t.strictSame(await firstSteps(0), withFileAt(300), 'an object store such as S3 tells whole seconds')
  t.strictSame(await firstSteps(250), withFileAt(250))
  t.strictSame(await firstSteps(300), withFileAt(300), 'of the same time as the event')
  t.strictSame(await firstSteps(-4), withFileAt(120), 'by another clock it was stored before the request')
  const { stdout } = await platen('trace', generation)
  t.match(stdout, /\+120 ms \s*\(120 ms\) .* rendering started, by renderer-1/)
  t.match(stdout, 'request accepted, template tpl_1 version 3, key key_1, webhook https://example.com/hook?…\n')
  t.notMatch(stdout, 'secret', 'tokens of URLs are not shown')
  t.notMatch((await platen('deliveries', 'list', '--json')).stdout, 'secret')
  t.match((await platen('deliveries', 'list')).stdout, 'https://example.com/hook?…')
  t.match(stdout, 'webhook attempt 1 succeeded, 200 in 70 ms')

  const unknown = await platen('trace', newId('req'))
  t.match(unknown, {
    code: 1,
    stdout: '',
    stderr: /^platen: the event store has nothing about req_\w+ \(a preview, .* records nothing\); give an id of/,
  })
  t.match(await platen('trace', newId('tpl')), { code: 1, stderr: 'the event store has nothing about tpl_' })
  t.match(await platen('trace'), { code: 2, stderr: 'expected exactly one id; see trace --help' })
})

t.test('trace of a template has its labels, and that of a request only what the request has changed', async (t) => {
  const dataDir = t.testdir({})
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const [template, created, labelled, stored] = [newId('tpl'), newId('req'), newId('req'), newId('req')]
  const event = (type: string, request: string, data: object) => ({
    id: randomUUID(),
    type,
    data: { ...data },
    metadata: { time: new Date().toISOString(), correlation_id: request, causation_id: randomUUID() },
  })
  const name = { owner_id: 'own_default', name: 'Invoice', slug: 'invoice', html: '<p>', sample_data: {} }
  await store.append(`template-${template}`, [event('TemplateCreated', created, name)], 'none')
  const [test, live] = [{ test: 1 }, { test: 1, live: 1 }]
  const set = (request: string, label: string, labels: object) =>
    event('TemplateLabelSet', request, { label, version: 1, labels })
  await store.append(`label-${template}`, [set(created, 'test', test)], 'none')
  await store.append(`label-${template}`, [set(labelled, 'live', live)], 0)
  const content = { sha256: 'a'.repeat(64), type: 'image/svg+xml', bytes: 64, object: '0123456789abcdef' }
  const asset = { name: 'logo.svg', version: 1, created_at: '2026-01-31T12:00:00.000Z', ...content }
  await store.append('asset-own_default', [event('AssetStored', newId('req'), asset)], 'none')
  await store.append('asset-own_default', [event('AssetStored', stored, { ...asset, name: 'seal.svg' })], 0)

  const endpoint = newId('end')
  const [disabled, enabled] = [newId('req'), newId('req')]
  const gone = {
    owner_id: 'own_default',
    url: 'https://example.com/hook?token=secret',
    reason: 'gone',
    delivery_id: 'msg_1',
  }
  await store.append(`endpoint-${endpoint}`, [event('EndpointDisabled', disabled, gone)], 'none')
  await store.append(`endpoint-${endpoint}`, [event('EndpointEnabled', enabled, { delivery_id: 'msg_2' })], 0)
  await store.append('owner-own_1', [event('OwnerDisabled', disabled, {})], 'none')
  await store.append('key-key_1', [event('SomethingElse', enabled, {})], 'none')

  const steps = async (id: string) => {
    const { stdout } = await runCli({ DATA_DIR: dataDir }, ['trace', id, '--json'])
    return JSON.parse(stdout).timeline.map(({ what }: { what: string }) => what)
  }
  t.strictSame(await steps(template), [
    'created, "Invoice", slug invoice',
    'label set, test version 1',
    'label set, live version 1',
  ])
  t.strictSame(await steps(labelled), ['label set, live version 1'])
  t.strictSame(await steps(stored), ['asset stored, seal.svg, image/svg+xml, 64 bytes'])
  t.strictSame(await steps(endpoint), [
    'webhook URL disabled, https://example.com/hook?…, it answered 410',
    'webhook URL enabled, msg_2 has succeeded',
  ])
  t.match(await steps(disabled), [/^webhook URL disabled/, 'owner disabled'])
  t.match(await steps(enabled), [/^webhook URL enabled/, 'SomethingElse'])
})
