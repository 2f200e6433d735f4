import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startFleet } from '@platen/test-support/fleet.ts'
import { openLoopDisk } from '@platen/test-support/loop-disk.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { connect, DiscardPolicy } from 'nats'
import t from 'tap'
import { isPrometheusInstalled, startPrometheus } from '../testing/prometheus.ts'

const skip = isPrometheusInstalled ? false : 'prometheus is not installed'

t.test(
  'each alert fires when its condition is true on running services, and is resolved after it',
  { skip },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-alerts-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const nats = await startNatsServer()
    t.teardown(() => nats[Symbol.asyncDispose]())
    const events = join(folder, 'events.db')
    const chromium = join(folder, 'chromium')
    const found = process.env.CHROMIUM_PATH ?? 'chromium-headless-shell'
    await writeFile(chromium, `#!/bin/sh\n[ -e ${chromium}.broken ] && exit 1\nexec ${found} "$@"\n`, { mode: 0o755 })
    const urls = { EVENT_STORE_URL: `sqlite:${events}`, OBJECT_STORE_URL: `file:${join(folder, 'objects')}` }
    const disk = await openLoopDisk(64)
    if (typeof disk !== 'string') t.teardown(() => disk[Symbol.asyncDispose]())
    const fleet = await startFleet({ NATS_URL: nats.url, ...urls }, (name) => ({
      ...(name === 'gateway-2' && typeof disk !== 'string' && { DATA_DIR: disk.folder }),
      ...(name.startsWith('notifier') && { WEBHOOK_SCHEDULE: '0,1' }),
      ...(name.startsWith('renderer') && { CHROMIUM_PATH: chromium }),
    }))
    t.teardown(() => fleet[Symbol.asyncDispose]())
    const [gateway, other] = fleet.gateways
    const of = (service: string) => fleet.processes.filter((process) => process.service === service)
    const signal = (service: string, name: NodeJS.Signals) => {
      for (const { pid } of of(service)) process.kill(pid(), name)
    }
    const prometheus = await startPrometheus(
      fleet.processes.map(({ url }) => url),
      {
        rules: fileURLToPath(new URL('alerts.yaml', import.meta.url)),
        limits: {
          PlatenQueueIsOld: ['300', '3'],
          PlatenRelayIsBehind: ['60', '3'],
          PlatenViewsAreBehind: ['60', '3'],
          PlatenWebhooksAreLate: ['300', '3'],
          PlatenDiskIsFull: ['2e9', '16e6'],
          PlatenBackupIsOld: ['172800', '600'],
        },
      },
    )
    t.teardown(() => prometheus[Symbol.asyncDispose]())
    const { firing, resolved } = prometheus
    const generate = (body: object) => gateway.json('/v1/generate', { body: { html: '<p>x</p>', ...body } })
    const webhook = { webhook_url: 'http://127.0.0.1:9/refused', async: true }

    await t.test('nothing fires while all is well', async (t) => {
      t.equal((await generate({})).status, 200)
      await delay(5_000)
      for (const alert of ['PlatenTargetIsDown', 'PlatenIsNotReady', 'PlatenConsumerIsStuck', 'PlatenServiceIsGone'])
        await resolved(alert)
    })

    await t.test('no backup was ever made', async (t) => {
      await firing('PlatenBackupIsOld')
      const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
      const env = { ...process.env, ...urls, DATA_DIR: folder }
      const backup = spawnSync(process.execPath, [main, 'backup', join(folder, 'backup')], { env, encoding: 'utf8' })
      t.equal(backup.status, 0, backup.stderr)
      await resolved('PlatenBackupIsOld')
    })

    await t.test('a service of which no process is left', async () => {
      await Promise.all(of('notifier').map((one) => one.kill()))
      await firing('PlatenServiceIsGone', { service: 'notifier' })
      await firing('PlatenTargetIsDown')
      await Promise.all(of('notifier').map((one) => one.start()))
      await resolved('PlatenServiceIsGone')
      await resolved('PlatenTargetIsDown')
    })

    await t.test('webhooks that are given up, the first ones of a notifier', async () => {
      await generate(webhook)
      await firing('PlatenWebhooksFail')
      await resolved('PlatenWebhooksFail')
    })

    await t.test('documents that fail', async () => {
      for (let n = 0; n < 5; n++) await generate({ html: '{{#if}}', data: {} })
      await generate({ html: '<p>x</p>', options: { wait_for: '#never', timeout_ms: 100 } })
      const template = await gateway.json<{ id: string }>('/v1/templates', {
        body: { name: 'fails', html: '{{formatDate "x"}}' },
      })
      for (let n = 0; n < 5; n++) await generate({ html: undefined, template: template.body.id, data: {} })
      await firing('PlatenGenerationsFail')
      await resolved('PlatenGenerationsFail')
    })

    await t.test('a message that cannot be handled', async () => {
      const client = await connect({ servers: nats.url })
      await client.jetstream().publish('commands.template.x', 'this is no command')
      await firing('PlatenDeadLetters')
      await (await client.jetstreamManager()).streams.purge('DEAD_LETTERS')
      await client.close()
      await resolved('PlatenDeadLetters')
    })

    await t.test('renderers that hang', async () => {
      signal('renderer', 'SIGSTOP')
      await generate({ async: true })
      await firing('PlatenQueueIsOld')
      await firing('PlatenConsumerIsStuck')
      signal('renderer', 'SIGCONT')
      await resolved('PlatenQueueIsOld')
      await resolved('PlatenConsumerIsStuck')
    })

    await t.test('browsers that do not start', async () => {
      await writeFile(`${chromium}.broken`, '')
      for (const one of of('renderer')) {
        await one.kill()
        await one.start()
      }
      await firing('PlatenBrowserIsDown')
      await rm(`${chromium}.broken`)
      await resolved('PlatenBrowserIsDown')
    })

    await t.test('an event store that takes no events', async () => {
      const holder = new DatabaseSync(events)
      await generate(webhook)
      holder.exec('BEGIN IMMEDIATE')
      const asked = new AbortController()
      const asking = (async () => {
        while (!asked.signal.aborted) await gateway.json('/v1/owners', { body: { name: 'never' } })
      })()
      await firing('PlatenAppendsFail')
      await firing('PlatenRequestsFail')
      await firing('PlatenIsNotReady', { check: 'event_store' })
      asked.abort()
      await asking
      holder.exec('ROLLBACK')
      holder.close()
      await resolved('PlatenIsNotReady')
      await resolved('PlatenAppendsFail')
      await resolved('PlatenRequestsFail')
    })

    await t.test('a stream EVENTS that takes no messages', async () => {
      const client = await connect({ servers: nats.url })
      const { streams } = await client.jetstreamManager()
      const { config, state } = await streams.info('EVENTS')
      await streams.update('EVENTS', { discard: DiscardPolicy.New, max_msgs: state.messages })
      await generate({})
      await firing('PlatenRelayIsBehind', { relay: 'renderer' })
      await streams.update('EVENTS', { discard: config.discard, max_msgs: config.max_msgs })
      await client.close()
      await resolved('PlatenRelayIsBehind')
    })

    await t.test('views that another program has locked', async () => {
      const holder = new DatabaseSync(join(other.dataDir, 'gateway', 'views.db'))
      holder.exec('BEGIN IMMEDIATE')
      await generate({})
      await firing('PlatenViewsAreBehind', { instance: new URL(other.url).host })
      holder.exec('ROLLBACK')
      holder.close()
      await resolved('PlatenViewsAreBehind')
    })

    await t.test('an attempt of a webhook that cannot be recorded', async (t) => {
      const holder = new DatabaseSync(events)
      const answer = Promise.withResolvers<void>()
      const receiver = await startReceiver((response) => void answer.promise.then(() => response.writeHead(500).end()))
      t.teardown(() => receiver[Symbol.asyncDispose]())
      await generate({ async: true, webhook_url: receiver.url('/late') })
      await receiver.calls('/late', 1)
      holder.exec('BEGIN IMMEDIATE')
      answer.resolve()
      await firing('PlatenWebhooksAreLate')
      holder.exec('ROLLBACK')
      holder.close()
      await resolved('PlatenWebhooksAreLate')
      await resolved('PlatenAppendsFail')
    })

    const noDisk = typeof disk === 'string' ? `there can be no disk for the test: ${disk}` : false
    await t.test('a disk that is full', { skip: noDisk }, async () => {
      if (typeof disk === 'string') return
      await disk.fill()
      await firing('PlatenDiskIsFull', { path: disk.folder })
      await disk.drain()
      await resolved('PlatenDiskIsFull')
    })

    await t.test('a NATS server that hangs', async () => {
      const documents = Array.from({ length: 4 }, () =>
        generate({
          html: '<script>for (const until = Date.now() + 1_500; Date.now() < until;);</script>',
          options: { javascript: true },
        }),
      )
      await delay(500)
      process.kill(nats.pid, 'SIGSTOP')
      await firing('PlatenIsNotReady', { check: 'nats' })
      process.kill(nats.pid, 'SIGCONT')
      await Promise.allSettled(documents)
      await resolved('PlatenIsNotReady')
    })
  },
)
