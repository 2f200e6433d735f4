import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { webhookHeaders } from '../../services/notifier/src/webhook/sign.ts'
import { freePorts } from '../support/free-port.ts'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { subscriberAccount } from '../support/subscriber.ts'
import { readBlocks, root } from './code-blocks.ts'

/** Runs the only JavaScript sample of a page in the folder of the repository, which has its packages. */
function runSample(page: string, env: Record<string, string>): ChildProcess {
  const [sample, ...more] = readBlocks(page, 'js')
  if (!sample || more.length > 0) throw new Error(`${page} must have one JavaScript sample`)
  const child = spawn(process.execPath, ['--input-type=module', '-'], { cwd: root, env: { ...process.env, ...env } })
  child.stdin.end(sample.code)
  return child
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) return ''
  const [chunk] = await once(stdout, 'data')
  return String(chunk).trim()
}

t.test('the subscriber of docs/events.md prints completed generations', async (t) => {
  await using platen = await startPlaten()
  const { url } = await subscriberAccount(platen)
  const subscriber = runSample('docs/events.md', { EVENTS_URL: url })
  t.teardown(() => subscriber.kill())
  const printed = firstLine(subscriber)
  const examples = subscriberExamples()
  const running = await Promise.all(
    examples.map(async ({ name, command, args }) => {
      const child = spawn(command, args, {
        env: { ...process.env, EVENTS_URL: url },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      t.teardown(() => child.kill())
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
      t.equal((await lines.next()).value, 'ready', name)
      return { name, lines }
    }),
  )
  const { generation } = await generate(platen, { html: '<p>x', metadata: { order: '42' }, file_name: 'x' })
  t.equal(await printed, `${generation.id} 1 pages ${generation.size} bytes`)
  for (const { name, lines } of running) t.equal((await lines.next()).value, `${generation.id} x.pdf 1 42`, name)
  if (running.length === 1) t.comment('set SUBSCRIBER_EXAMPLES=1 to run the Go and Python examples too')
})

/** Those in Go and Python need packages of their own: go and the modules in its cache, python3 (or PYTHON) with nats-py. */
function subscriberExamples(): { name: string; command: string; args: string[] }[] {
  const folder = join(root, 'examples/subscribers')
  const typescript = { name: 'TypeScript', command: process.execPath, args: [join(folder, 'typescript/subscriber.ts')] }
  if (process.env.SUBSCRIBER_EXAMPLES !== '1') return [typescript]
  const program = join(tmpdir(), `platen-subscriber-${process.pid}`)
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(folder, 'go') })
  const python = {
    name: 'Python',
    command: process.env.PYTHON ?? 'python3',
    args: [join(folder, 'python/subscriber.py')],
  }
  return [typescript, { name: 'Go', command: program, args: [] }, python]
}

t.test('the receiver of docs/api.md accepts signed webhooks only and prints each once', async (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const [port] = await freePorts(1)
  const receiver = runSample('docs/api.md', { PORT: String(port), WEBHOOK_SECRET: secret })
  t.teardown(() => receiver.kill())
  const printed = firstLine(receiver)
  const body = JSON.stringify({ type: 'generation.completed', data: { id: 'pdf_1', url: 'https://example.com/x.pdf' } })
  const timestampS = Math.floor(Date.now() / 1_000)
  const headers = webhookHeaders({ id: 'msg_1', timestampS, body, secrets: [secret] })
  const post = async (sent: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status
  while ((await post(body).catch(() => 0)) !== 204) await delay(50)
  t.equal(await post(body), 204, 'a repeated webhook')
  t.equal(await post(`${body} `), 400, 'a changed body')
  t.equal(await printed, 'generation.completed pdf_1 https://example.com/x.pdf')
})
