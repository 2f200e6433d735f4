import { freePort } from '@platen/test-support/free-port.ts'
import { Gauge, Registry } from 'prom-client'
import t from 'tap'
import { startAdminServer } from './admin-server.ts'

t.test('it serves liveness, readiness and metrics', async (t) => {
  const port = await freePort()
  let browser = true
  const checks = [
    { name: 'nats', check: async () => {} },
    { name: 'browser', check: () => (browser ? Promise.resolve() : Promise.reject(new Error('gone'))) },
  ]
  const metrics = new Registry()
  new Gauge({ name: 'pages_in_use', help: 'Pages', registers: [metrics] }).set(3)
  const options = { port, host: '127.0.0.1', checks, metrics }
  await using _ = await startAdminServer(options)
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: response.status, body: await response.text() }
  }
  t.match(await get('/livez'), { status: 200, body: '{"status":"ok"}' })
  t.match(await get('/readyz'), { status: 200, body: '{"status":"ok","checks":{"nats":"ok","browser":"ok"}}' })
  browser = false
  t.match(await get('/readyz?verbose'), { status: 503, body: '"browser":"unavailable"' })
  t.match(await get('/metrics'), { status: 200, body: 'process_cpu_seconds_total' })
  t.match(await get('/metrics'), { body: /^pages_in_use 3$/m })
  t.equal((await get('/')).status, 404)
  await t.rejects(startAdminServer(options), /ADMIN_PORT/)
  await t.rejects(startAdminServer({ ...options, host: '192.0.2.1' }), /^HOST: /)
})

t.test('/readyz contains the details of a check', async (t) => {
  const port = await freePort()
  const checks = [
    { name: 'nats', check: async () => {} },
    { name: 'browser', check: () => Promise.reject(new Error('gone')), detail: () => ({ pages: 3 }) },
  ]
  await using _ = await startAdminServer({ port, host: '127.0.0.1', checks, metrics: new Registry() })
  t.strictSame(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json(), {
    status: 'unavailable',
    checks: { nats: 'ok', browser: 'unavailable' },
    reasons: { browser: 'gone' },
    details: { browser: { pages: 3 } },
  })
})
