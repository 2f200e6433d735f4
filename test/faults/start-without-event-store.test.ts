import { fileURLToPath } from 'node:url'
import t from 'tap'
import { launchService } from '../support/fleet.ts'
import { freePorts } from '../support/free-port.ts'
import { startNatsServer } from '../support/nats-server.ts'
import { launch } from '../support/platen.ts'
import { until } from '../support/until.ts'

t.setTimeout(300_000)

t.test('a service that waits for the event store at its start is alive, not ready, and consumes nothing', async (t) => {
  await using nats = await startNatsServer()
  const [port, noStore] = await freePorts(2)
  const settings = {
    NATS_URL: nats.url,
    EVENT_STORE_URL: `esdb://127.0.0.1:${noStore}?tls=false`,
    OBJECT_STORE_URL: `file:${t.testdir()}/objects`,
    ADMIN_PORT: `${port}`,
  }
  const entryPoint = fileURLToPath(new URL('../../services/template/src/main.ts', import.meta.url))
  const running = await launch({ entryPoint, settings, readyText: 'waiting for it' })
  t.teardown(() => running.end())
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
  const livez = await until(() => get('/livez'), 'it does not listen')
  t.equal(livez.status, 200)
  const readyz = await get('/readyz')
  t.equal(readyz?.status, 503)
  t.match(await readyz?.json(), {
    checks: { nats: 'ok', event_store: 'unavailable', template: 'unavailable' },
    reasons: { template: 'the service is starting' },
  })
  running.child.kill('SIGTERM')
  await running.exited
  t.equal(running.child.exitCode, 0, 'it can be stopped')
})

t.test('a service that is given the NATS of another deployment exits with code 1 and one line', async (t) => {
  await using nats = await startNatsServer()
  const settings = (name: string) => ({
    NATS_URL: nats.url,
    EVENT_STORE_URL: `sqlite:${t.testdirName}/${name}.db`,
    OBJECT_STORE_URL: `file:${t.testdirName}/${name}`,
  })
  t.testdir()
  const ours = await launchService('template', settings('ours'))
  t.teardown(() => ours.end())
  const error = await launchService('template', settings('theirs')).catch((err: Error & { exitCode: number }) => err)
  t.match(error, { name: 'NotStarted', exitCode: 1 })
  t.match(error, {
    message:
      /^template cannot run: NATS .* belongs to the deployment dep_\w+, and this process to dep_\w+\..*deployment claim/m,
  })
})
