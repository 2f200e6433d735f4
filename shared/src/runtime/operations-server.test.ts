import t from 'tap'
import { freePort } from '../testing/free-port.ts'
import { startOperationsServer } from './operations-server.ts'

t.test('it says whether the service lives, is ready, and how it does', async (t) => {
  const port = await freePort()
  let browser = true
  const checks = [
    { name: 'nats', check: async () => {} },
    { name: 'browser', check: () => (browser ? Promise.resolve() : Promise.reject(new Error('gone'))) },
  ]
  await using _ = await startOperationsServer({ port, host: '127.0.0.1', checks })
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: response.status, body: await response.text() }
  }
  t.match(await get('/livez'), { status: 200, body: '{"status":"ok"}' })
  t.match(await get('/readyz'), { status: 200, body: '{"status":"ok","checks":{"nats":"ok","browser":"ok"}}' })
  browser = false
  t.match(await get('/readyz?verbose'), { status: 503, body: '"browser":"unavailable"' })
  t.match(await get('/metrics'), { status: 200, body: 'process_cpu_seconds_total' })
  t.equal((await get('/')).status, 404)
  await t.rejects(startOperationsServer({ port, host: '127.0.0.1', checks }), /OPERATIONS_PORT/)
})
