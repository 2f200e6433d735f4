import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { Status } from '@platen/domain/status/status.ts'
import type { StatusReport } from '@platen/service-kit/status/status-report.ts'
import { connect } from 'nats'
import t from 'tap'
import { type Ran, runCli } from '../../cli/src/testing/run-cli.ts'
import { launchService, type Service, services } from '../support/fleet.ts'
import { freePorts } from '../support/free-port.ts'
import { startNatsServer } from '../support/nats-server.ts'
import { type Running, request, startPlaten, testApiKey } from '../support/platen.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const reportOf = ({ stdout }: Ran) => JSON.parse(stdout) as StatusReport

t.test('status shows the processes of separate services, and what is wrong first', async (t) => {
  const folder = t.testdir({})
  await using nats = await startNatsServer()
  const env = {
    NATS_URL: nats.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
  }
  await using started = new AsyncDisposableStack()
  const [port] = await freePorts(1)
  const start = async (service: Service): Promise<Running> => {
    const running = await launchService(service, {
      ...env,
      DATA_DIR: `${folder}/${service}`,
      SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
      PORT: `${port}`,
      API_KEY: testApiKey,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      RENDER_SLOTS: '1',
    })
    started.defer(() => running.end())
    return running
  }
  t.match(await runCli(env, ['keys', 'issue', '--name', 'first', '--create']), { code: 0 })
  const running = await Promise.all(services.map(start))
  const generate = (body: object) => request(new URL('/v1/generate', `http://127.0.0.1:${port}`), testApiKey, { body })
  const overHttp = async () => {
    const answer = await request(new URL('/v1/status', `http://127.0.0.1:${port}`), testApiKey, {})
    return (await answer.json()) as Status
  }
  const status = (more: Record<string, string> = {}) => runCli({ ...env, ...more }, ['status', '--json'])
  const seen = (condition: (report: StatusReport) => boolean, what: string) => {
    let report: StatusReport | undefined
    return until(
      async () => {
        report = reportOf(await status())
        return condition(report) ? report : undefined
      },
      () => `${what}: ${JSON.stringify(report)}`,
    )
  }
  let renderer = running[services.indexOf('renderer')] as Running

  await t.test('all is well', async (t) => {
    const all = { gateway: 1, template: 1, renderer: 1, notifier: 1 }
    const report = await seen(
      ({ processes }) => Array.isArray(processes) && processes.filter(({ ready }) => ready).length === 4,
      'four processes are not ready',
    )
    t.match(report, { services: all, deliveries: { pending: 0 }, dead_letters: { count: 0 }, last_backup: null })
    const backup = join(folder, 'backup')
    t.match(await runCli({ ...env, DATA_DIR: folder }, ['backup', backup]), { code: 0 })
    t.match(reportOf(await status()).last_backup, { where: backup, age_s: Number })
    t.strictSame(
      report.attention.filter(({ level }) => level === 'wrong'),
      [],
    )
    const shown = await until(async () => {
      const found = await overHttp()
      return found.processes?.some(({ browsers = [] }) => browsers.length > 0) ? found : undefined
    }, 'no browser is shown over HTTP')
    t.match(shown, { engines: [{ ok: true }, { ok: true }, { ok: true }], not_checked: [], deliveries: { pending: 0 } })
    const ofRenderer = shown.processes?.find(({ program }) => program === 'renderer')
    t.ok(
      ofRenderer?.browsers?.every(({ up }) => up),
      JSON.stringify(ofRenderer),
    )
    t.strictSame(
      shown.alerts?.flatMap(({ alert, state }) => (state === 'active' ? [alert] : [])),
      [],
    )
    const { code, stdout } = await runCli(env, ['status'])
    t.equal(code, 0)
    for (const heading of [
      'PROCESSES',
      'QUEUES',
      'RELAYS',
      'VIEWS',
      'WEBHOOKS',
      'DEAD LETTERS',
      'LAST BACKUP',
      'DISKS',
    ])
      t.match(stdout, new RegExp(`^${heading}`, 'm'))
    t.notMatch(stdout, '\u001b', 'no colours in a pipe')
    t.match(await runCli(env, ['doctor']), { stdout: /ok +services +4 processes run all services/ })
  })

  await t.test('a subscriber that has stopped, and a service of which no process is left', async (t) => {
    const client = await connect({ servers: nats.url })
    const jsm = await client.jetstreamManager()
    await jsm.consumers.add('EVENTS', { durable_name: 'audit', ack_policy: 'explicit' as never })
    t.equal((await generate({ html: '<p>x' })).status, 200)
    // The answer comes before the command is acknowledged, and before the events are published.
    const isSettled = async () => {
      const { num_pending } = await jsm.consumers.info('EVENTS', 'audit')
      const { state } = await jsm.streams.info('COMMANDS')
      return (num_pending > 0 && state.messages === 0) || undefined
    }
    await until(isSettled, 'the document is not published')
    renderer.child.kill('SIGKILL')
    await renderer.exited
    t.equal((await generate({ html: '<p>x', async: true })).status, 202)
    const report = await seen(
      ({ services }) => 'renderer' in services && services.renderer === 0,
      'the renderer is not missed',
    )
    t.match(report.attention[0], { level: 'wrong', what: 'renderer', found: 'no process runs: no document is printed' })
    t.ok(
      report.attention.some(({ what, found }) => what === 'renderer' && /no sign for/.test(found)),
      'the one that was killed',
    )
    t.ok(report.attention.some(({ what, found }) => what === 'subscriber' && /^audit is \d+ mess/.test(found)))
    t.match(report.queues, [{}, { priority: 'batch', waiting: 1 }, {}])
    const shown = await overHttp()
    t.match(shown, { generations: { accepted: 1, queued: { batch: 1 }, rendering: 0, last_hour: { completed: 1 } } })
    const active = shown.alerts?.flatMap(({ alert, state }) => (state === 'active' ? [alert] : []))
    for (const alert of ['PlatenTargetIsDown', 'PlatenServiceIsGone']) t.ok(active?.includes(alert), alert)
    t.ok(shown.consumers?.some(({ consumer, own, pending }) => consumer === 'audit' && !own && pending > 0))
    t.match(await runCli(env, ['status']), { code: 1, stdout: /renderer +✗ +not running|✗ renderer +no process runs/ })
    t.match(await runCli(env, ['doctor']), { code: 1, stdout: /wrong +services +no renderer runs/ })
    await jsm.consumers.delete('EVENTS', 'audit')
    await client.close()

    renderer = await start('renderer')
    await seen(({ attention }) => attention.every(({ level }) => level === 'note'), 'the successor does not count')
  })

  await t.test('a process that hangs', async () => {
    renderer.child.kill('SIGSTOP')
    const silent = ({ attention }: StatusReport) => attention.some(({ found }) => /no sign/.test(found))
    await seen(silent, 'it is not missed')
    renderer.child.kill('SIGCONT')
    await seen((report) => !silent(report), 'it is not seen again')
  })

  await t.test('an event store that another program keeps locked, while nothing is recorded', async (t) => {
    const other = new DatabaseSync(join(folder, 'events.db'))
    t.teardown(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    const why =
      /^The event store takes no events: another program, or a commit that waits for the disk, keeps its file locked/
    const report = await seen(
      ({ processes }) =>
        Array.isArray(processes) &&
        processes.every(({ ready, reasons }) => !ready && why.test(reasons.event_store ?? '')),
      'a service counts as ready',
    )
    t.match(report.engines, [{ ok: true }, { ok: true }, { ok: true }], 'all can be read')
    const [readyz, metrics] = await Promise.all(
      ['readyz', 'metrics'].map((path) => fetch(`http://127.0.0.1:${port}/${path}`)),
    )
    t.match(await readyz?.json(), { status: 'unavailable', checks: { event_store: 'unavailable', nats: 'ok' } })
    const scraped = await metrics?.text()
    t.match(scraped, 'platen_ready{check="event_store"} 0')
    t.match(scraped, 'platen_event_store_append_seconds_count{outcome="failed"} 0', 'a try is no append')
    t.match(await runCli(env, ['doctor']), { code: 1, stdout: /wrong +appends .*events\.db takes no events: .*locked/ })
    other.exec('ROLLBACK')
    await seen(({ attention }) => attention.every(({ level }) => level === 'note'), 'a service is not ready again')
    t.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
    t.equal((await generate({ html: '<p>x' })).status, 200)
  })

  await t.test('what depends on a broken part is not checked', async (t) => {
    const wrong = async (name: string, more: Record<string, string>, doctorSays: RegExp) => {
      const ran = await status(more)
      t.equal(ran.code, 1)
      const { attention } = reportOf(ran)
      t.strictSame(
        attention.filter(({ level }) => level === 'wrong').map(({ what }) => what),
        [name],
        'nothing else is blamed',
      )
      const doctor = await runCli({ ...env, ...more }, ['doctor'])
      t.match(doctor.stdout, doctorSays)
      return reportOf(ran)
    }
    const elsewhere = { EVENT_STORE_URL: `sqlite:${folder}/mistyped.db` }
    t.match(await wrong('event store', elsewhere, /not checked +assets +event store is not checked/), {
      relays: { not_checked: 'the event store cannot be used' },
      services: { renderer: 1 },
    })
    const objects = { OBJECT_STORE_URL: `file:${folder}/mistyped` }
    await wrong('object store', objects, /not checked +deployment +object store is wrong/)
    process.kill(nats.pid, 'SIGSTOP')
    t.match(await wrong('NATS', {}, /not checked +clock +nats is wrong/), {
      processes: { not_checked: 'NATS cannot be used' },
      queues: { not_checked: 'NATS cannot be used' },
    })
    process.kill(nats.pid, 'SIGCONT')
    await delay(1_000)
    await nats.stop()
    await wrong('NATS', {}, /not checked +services +nats is wrong/)
  })
})

t.test('status of the single node, while it runs and after it, and again and again', async (t) => {
  await using node = await startPlaten()
  const env = { DATA_DIR: node.dataDir }
  const well = async () => {
    const ran = await runCli(env, ['status', '--json'])
    return ran.code === 0 ? reportOf(ran) : undefined
  }
  const report = await until(well, 'something is wrong')
  t.match(report.processes, [{ program: 'single-node', services: { length: 4 } }])

  const stop = new AbortController()
  const reports: StatusReport[] = []
  const watching = await runCli(env, ['status', '--watch', '--json'], {
    signal: stop.signal,
    onLine(line) {
      reports.push(JSON.parse(line))
      if (reports.length === 2) stop.abort()
    },
  })
  t.equal(watching.code, 0)
  t.equal(reports.length, 2)

  await node.stop()
  t.match(await runCli(env, ['status']), { code: 1, stdout: /✗ NATS.*\n[\s\S]*PROCESSES +not checked/ })
})
