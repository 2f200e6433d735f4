import { buckets } from '@platen/domain/streams/buckets.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { type AnnouncedProcess, announcedProcesses, withoutReplaced } from './announced-processes.ts'
import { openBackingServices } from './backing-services.ts'
import { addLiveGauge } from './live-gauge.ts'
import { announceService, showReadiness } from './presence-metrics.ts'

t.test('a process is announced with its services and readiness, and takes its leave', async (t) => {
  await using stack = await startBackingServices()
  const other = await stack.open()
  const { bus } = stack.services
  const of = async (instance: string) => (await announcedProcesses(bus))?.find((it) => it.instance === instance)
  const starting = await until(() => of(other.instance), 'the process is not announced')
  t.match(starting, { state: 'starting', services: [], ready: false, silent: false, pid: process.pid })

  showReadiness(other, [{ name: 'disk', check: () => Promise.reject(new Error('no space is free')) }])
  const running = announceService(other, 'renderer')
  const unready = await until(async () => {
    const found = await of(other.instance)
    return found?.state === 'running' ? found : undefined
  }, 'the service is not announced')
  t.match(unready, { services: ['renderer'], ready: false, reasons: { disk: 'no space is free' } })
  t.match(unready.disks[0], { free_bytes: Number, total_bytes: Number })

  running[Symbol.dispose]()
  const stopping = async () => ((await of(other.instance))?.state === 'stopping' ? true : undefined)
  await until(stopping, 'the end of the service is not announced')
  const { config } = await bus.jsm.streams.info(`KV_${buckets.processes.name}`)
  t.ok(config.max_age > 0 && config.max_bytes > 0 && config.max_msgs_per_subject === 1, 'the store is bounded')
})

t.test('a figure that cannot be read for a moment does not end the announcements of a process', async () => {
  await using stack = await startBackingServices()
  const other = await stack.open()
  const { bus } = stack.services
  let reads = 0
  const read = () => {
    reads += 1
    if (reads === 1) throw new Error('the view is locked')
    return reads
  }
  using _gauge = addLiveGauge(other.metrics, { name: 'platen_view_lag_seconds', help: 'x', read })
  using _running = announceService(other, 'gateway')
  await until(() => reads > 0 || undefined, 'it is not read')
  other.presence.changed.wake()
  const shown = async () =>
    (await announcedProcesses(bus))?.find((it) => it.instance === other.instance && it.view_lag_s !== undefined)
  await until(shown, 'the process is not announced any more')
})

t.test('processes that run are shown, although hundreds were started and ended in the last day', async () => {
  await using stack = await startBackingServices()
  const { bus, instance } = stack.services
  const of = async () => (await announcedProcesses(bus))?.find((it) => it.instance === instance)
  await until(of, 'the process is not announced')
  for (let n = 0; n < 600; n++) bus.nats.publish(`$KV.${buckets.processes.name}.a${n}`, '')
  const isKept = async () =>
    (await bus.jsm.streams.info(`KV_${buckets.processes.name}`)).state.messages > 600 || undefined
  await until(isKept, 'the signs are not kept')
  stack.services.presence.changed.wake()
  await until(of, 'the process is not shown')
})

t.test('a record that is no announcement hides no process', async (t) => {
  await using stack = await startBackingServices()
  const { bus, instance } = stack.services
  const of = async () => (await announcedProcesses(bus))?.find((it) => it.instance === instance)
  const { seen_at: _, seen_s: __, silent: ___, ...good } = await until(of, 'the process is not announced')
  const wrong = ['not json', '1', 'null', '{}', '[]', ...Object.keys(good).map((name) => ({ ...good, [name]: {} }))]
  const subject = (name: string) => `$KV.${buckets.processes.name}.${name}`
  for (const [at, record] of wrong.entries())
    await bus.js.publish(subject(`a${at}`), typeof record === 'string' ? record : JSON.stringify(record))
  await bus.js.publish(subject('b'), JSON.stringify({ ...good, started_at: 'yesterday' }))
  for (const up_s of [1e300, -1e300])
    await bus.js.publish(subject(`b${up_s}`.replace('+', '')), JSON.stringify({ ...good, up_s }))
  await bus.js.publish(subject('c'), JSON.stringify({ ...good, instance: 'c', colour: 'of a newer version' }))
  // Its `reasons` may be empty.
  const expected = [instance, 'c', ...(JSON.stringify(good.reasons) === '{}' ? [instance] : [])]
  const found = await announcedProcesses(bus)
  t.same(found?.map((it) => it.instance).sort(), expected.sort())
})

t.test(
  'a process takes the place of one that was killed before its start, also if the clock of its host is wrong',
  async (t) => {
    await using stack = await startBackingServices()
    const { bus, instance } = stack.services
    const of = async () => (await announcedProcesses(bus))?.find((it) => it.instance === instance)
    const { seen_at: _, seen_s: __, silent: ___, ...good } = await until(of, 'the process is not announced')
    const publish = (name: string, upS: number, clockS: number) => {
      const started_at = new Date(Date.now() + (clockS - upS) * 1_000).toISOString()
      const record = { ...good, program: 'renderer', instance: name, host: name, up_s: upS, started_at }
      return bus.js.publish(`$KV.${buckets.processes.name}.${name}`, JSON.stringify(record))
    }
    await publish('killed', 7_200, 0)
    const killed = (await announcedProcesses(bus))?.find((it) => it.instance === 'killed')
    const killedMs = Date.parse(killed?.seen_at ?? '')
    const left = (all: AnnouncedProcess[] | undefined) =>
      withoutReplaced((all ?? []).map((it) => (it.instance === 'killed' ? { ...it, silent: true } : it))).map(
        (it) => it.instance,
      )
    await publish('earlier', 3_600, 7_200)
    t.ok(left(await announcedProcesses(bus)).includes('killed'), 'that one ran already, although its clock is ahead')
    await until(() => Date.now() > killedMs + 200 || undefined, 'time stands still')
    await publish('later', 0.05, -7_200)
    t.notOk(
      left(await announcedProcesses(bus)).includes('killed'),
      'this one was started later, although its clock is behind',
    )
  },
)

t.test('a process that ends is gone at once', async (t) => {
  await using stack = await startBackingServices()
  const { bus } = stack.services
  const count = async () => (await announcedProcesses(bus))?.length
  await until(async () => ((await count()) === 1 ? true : undefined), 'the process is not announced')
  const urls = {
    nats: stack.nats,
    eventStoreUrl: `sqlite:${stack.folder}/events.db`,
    objectStoreUrl: `file:${stack.folder}/objects`,
  }
  const resources = new AsyncDisposableStack()
  const log = createLogger('test', 'silent')
  await openBackingServices(urls, { service: 'other', log, resources, fail: t.fail })
  await until(async () => ((await count()) === 2 ? true : undefined), 'the other process is not announced')
  await resources.disposeAsync()
  t.equal(await count(), 1)
})

t.test('a process that was killed is missed until another one was started in its place', async (t) => {
  const killed = { program: 'renderer', host: 'a', silent: true, seen_at: '2026-01-01T10:00:00.000Z' }
  const started = (host: string, started_at: string) => ({ program: 'renderer', host, silent: false, started_at })
  const left = (...all: object[]) =>
    withoutReplaced(all as AnnouncedProcess[]).map(({ host, silent }) => `${host}${silent ? ' silent' : ''}`)
  t.strictSame(left(killed, started('b', '2026-01-01T09:00:00.000Z')), ['a silent', 'b'], 'it ran before')
  t.strictSame(left(killed, started('b', '2026-01-01T11:00:00.000Z')), ['b'])
  t.strictSame(left(killed, { ...started('a', '2026-01-01T11:00:00.000Z'), program: 'gateway' }), ['a silent', 'a'])
  t.strictSame(left(killed, { ...killed, host: 'b' }, started('b', '2026-01-01T11:00:00.000Z')), ['a silent', 'b'])
  const again = (hour: number) => ({ ...killed, ...started('a', `2026-01-01T${hour}:30:00.000Z`), silent: true })
  const seen = (hour: number) => ({ ...again(hour), seen_at: `2026-01-01T${hour + 1}:00:00.000Z` })
  t.strictSame(left(killed, seen(10), seen(11), started('a', '2026-01-01T12:30:00.000Z')), ['a'], 'killed three times')
  t.strictSame(left(seen(11), killed, seen(10)), ['a silent'], 'nobody has started it again')
})
