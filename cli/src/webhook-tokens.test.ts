import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { FileWebhook } from '@platen/domain/generation/file-webhook.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { runViews } from '@platen/gateway/views/run-views.ts'
import { ownerId, startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { headers } from 'nats'
import { Registry } from 'prom-client'
import t from 'tap'
import { commands } from './commands.ts'
import { jsonLines, runCli } from './testing/run-cli.ts'

t.setTimeout(600_000)

/** Part of each webhook URL, and of a header of webhooks. */
const token = 'sesame'

/** As many as a stream has events for a snapshot, which repeats the URL. */
const attempts = 50

/** Commands that print nothing of a generation, a webhook or the log. */
const others =
  /^(templates|partials|import|assets|batches|keys|owners|streams|relay|deployment|eventstore|nats-url|doctor|backup|restore|views rebuild|generations cancel)/

t.test('no command and no log shows the token of a webhook, in its URL or in a header', async (t) => {
  await using stack = await startPlaten()
  const { services } = stack
  const { store, bus } = services
  const folder = dirname(stack.config.supervisor.folder)
  const env = {
    DATA_DIR: folder,
    NATS_URL: stack.nats.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
  }
  await using receiver = await startReceiver((response, _, { path }) => {
    const text = path.startsWith('/silent') ? '' : `cannot POST http://${path}, that is ${path}`
    response.writeHead(path.startsWith('/gone') ? 410 : 500).end(text)
  })
  const urlOf = (path: string) => receiver.url(`${path}?token=${token}`)
  const { log, text } = recordingLog('debug')
  const notifier = await stack.notifier({ scheduleMs: Array(attempts).fill(0) }, { ...services, log })
  const failed = await stack.generate(urlOf('/fails'), {
    type: 'GenerationFailed',
    data: { code: 'RENDER_FAILED', message: `options.fail_on: RESOURCE_FAILED: ${urlOf('/logo.png')}: not found` },
  })
  const gone = await stack.generate(urlOf('/gone'))
  const silent = await stack.generate(urlOf('/silent'))
  const file_webhook: FileWebhook = {
    url: urlOf('/file'),
    method: 'POST',
    error_url: urlOf('/gone-file'),
    error_method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-api-key': token },
    trace: 'trace_1',
    file_name: 'file',
    quoted: {},
  }
  const refused = { type: 'GenerationFailed', data: { code: 'RENDER_FAILED', message: 'no page' } } as const
  const filed = await stack.generate(undefined, refused, { file_webhook })
  for (const id of [failed, gone, silent, filed]) await stack.delivery(id, 'DeliveryExhausted')
  await notifier[Symbol.asyncDispose]()
  t.match(text(), 'webhook attempted')
  t.notMatch(text(), token, 'the log of a notifier')

  const queued = newId('pdf')
  const command = JSON.stringify({
    type: 'RenderPdf',
    data: {
      request: {
        generation_id: queued,
        owner_id: ownerId,
        api_key_id: 'key_1',
        webhook_url: urlOf('/queued'),
        file_webhook,
      },
      input: { html: '<p>', data: { link: 'https://a.example/?page=1' }, options: resolvePdfOptions() },
    },
    metadata: { id: 'c1', time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_1' },
  })
  const subject = `commands.render.batch.${ownerId}.${queued}`
  const header = headers()
  header.set('Platen-Subject', subject)
  header.set('Platen-Reason', `cannot fetch ${urlOf('/reason')}`)
  await bus.js.publish(`dead-letters.${subject}`, command, { headers: header })
  await bus.js.publish('dead-letters.commands.template.tpl_1', `no JSON, ${urlOf('/text')}`)
  await bus.js.publish(subject, command)
  {
    const views = runViews({
      path: join(folder, 'gateway', 'views.db'),
      store,
      log,
      metrics: new Registry(),
      fail: (err) => t.fail(err.message),
    })
    await views.caughtUp
    await views[Symbol.asyncDispose]()
    using file = new DatabaseSync(join(folder, 'gateway', 'views.db'))
    file.exec('DELETE FROM generations')
  }
  const platen = (...args: string[]) => runCli(env, args)
  const [{ id: delivery }] = jsonLines(await platen('deliveries', 'list', '--generation', failed, '--json'))
  const endpoint = jsonLines(await platen('events', '--type', 'EndpointDisabled'))[0].stream

  const [{ id: deliveryOfFile }] = jsonLines(await platen('deliveries', 'list', '--generation', filed, '--json'))

  const shows = /\/(fails|gone|gone-file|queued|reason|text|logo\.png)\?…/
  const showsHeader = /"authorization": ?"…","x-api-key": ?"…"/
  const printing: [line: string, wanted: RegExp][] = [
    ['status', /Platen|gateway|pending/i],
    ...[failed, delivery, gone].map((id): [string, RegExp] => [`trace ${id}`, shows]),
    [`trace ${queued}`, /waiting/],
    ...['json', 'cloudevents'].map((format): [string, RegExp] => [`events --format ${format}`, shows]),
    ['events --format table', /DeliveryAttempted/],
    ...[`generation-${failed}`, `delivery-${delivery}`, endpoint].map((name): [string, RegExp] => [
      `stream ${name}`,
      shows,
    ]),
    ...[`generation-${filed}`, `delivery-${deliveryOfFile}`].map((name): [string, RegExp] => [
      `stream ${name}`,
      showsHeader,
    ]),
    [`trace ${filed}`, /RENDER_FAILED/],
    [`trace ${deliveryOfFile}`, /gone-file\?…/],
    [`generations show ${filed}`, showsHeader],
    ['replay --dry-run', /events/],
    ['deliveries list', shows],
    [`deliveries show ${delivery}`, /cannot POST .*\/fails\?….*that is \/fails\?…/],
    [`deliveries redeliver ${delivery} --dry-run`, /sent again/],
    ['generations list', shows],
    ...[failed, gone, queued].map((id): [string, RegExp] => [`generations show ${id}`, shows]),
    ['generations retry --all-owners --dry-run', /is not kept/],
    ['dead-letters list', shows],
    ['dead-letters show 1', shows],
    ['dead-letters show 2', shows],
    ['dead-letters retry --all --dry-run', shows],
    ['dead-letters drop --all --dry-run', shows],
    [`erase ${gone} --dry-run`, /pdf_/],
    ['views check', shows],
    ['archive', /events/],
    ['archive list', /events/],
    ['archive read', shows],
    ['archive remove --older-than 1d', /nothing to remove/],
  ]
  for (const [line, wanted] of printing) {
    for (const json of line.includes('--format') ? [[]] : [[], ['--json']]) {
      const { stdout, stderr } = await platen(...line.split(' '), ...json)
      const printed = stdout + stderr
      t.notMatch(printed, token, `${line} ${json}`)
      if (json.length === 0) t.match(printed, wanted, line)
      else
        for (const text of stdout.split('\n').filter((text) => text !== ''))
          t.doesNotThrow(() => JSON.parse(text), text)
    }
  }
  for (const line of [`stream delivery-${delivery}`, 'events', 'archive read'])
    t.match((await platen(...line.split(' '), '--tokens')).stdout, `?token=${token}`, line)
  t.match(
    (await platen('stream', `delivery-${deliveryOfFile}`, '--tokens')).stdout,
    `"authorization":"Bearer ${token}"`,
  )
  const snapshots = (await platen('events', '--tokens')).stdout.match(/"snapshot":.*\?token=/g)
  t.equal(snapshots?.length, 2, 'the metadata of an event of each delivery that failed often')
  t.match((await platen('dead-letters', 'show', '1')).stdout, 'https://a.example/?page=1', 'the input is left as it is')

  const names = commands.map(({ name }) => name).filter((name) => !others.test(name))
  for (const name of names)
    t.ok(
      printing.some(([line]) => line.startsWith(name)),
      `${name} is tried`,
    )
})
