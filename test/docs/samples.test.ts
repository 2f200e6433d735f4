import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { embeddedNatsUrl, readEmbeddedNats, servicesUser } from '@platen/service-kit/host/embedded-nats.ts'
import { AckPolicy, connect } from 'nats'
import t, { type Test } from 'tap'
import { webhookHeaders } from '../../services/notifier/src/webhook/sign.ts'
import { runCli } from '../support/engines.ts'
import { freePorts } from '../support/free-port.ts'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { subscriberAccount } from '../support/subscriber.ts'
import { type CodeBlock, readBlocks, root } from './code-blocks.ts'

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

function linesOf({ stdout }: ChildProcess): AsyncIterator<string> {
  if (!stdout) throw new Error('its output is not piped')
  return createInterface(stdout)[Symbol.asyncIterator]()
}

t.test('the subscriber of docs/guides/subscribe.md prints completed generations', async (t) => {
  await using platen = await startPlaten()
  const { url } = await subscriberAccount(platen)
  const subscriber = runSample('docs/guides/subscribe.md', { EVENTS_URL: url })
  t.teardown(() => subscriber.kill())
  const printed = linesOf(subscriber)
  t.equal((await printed.next()).value, 'ready')
  const examples = subscriberExamples(t)
  const running = await Promise.all(
    examples.map(async ({ name, command, args }) => {
      const child = spawn(command, args, {
        env: { ...process.env, EVENTS_URL: url },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      t.teardown(() => child.kill())
      const lines = linesOf(child)
      t.equal((await lines.next()).value, 'ready', name)
      return { name, lines, child }
    }),
  )
  const { generation } = await generate(platen, { html: '<p>x', metadata: { order: '42' }, file_name: 'x' })
  t.equal((await printed.next()).value, `${generation.id} 1 pages ${generation.size} bytes`)
  for (const { name, lines } of running) t.equal((await lines.next()).value, `${generation.id} x.pdf 1 42`, name)
  await runCli({ DATA_DIR: platen.dataDir }, 'replay', '--to-events', '--since', '2026-01-01')
  const { generation: last } = await generate(platen, { html: '<p>x', metadata: { order: '43' }, file_name: 'x' })
  for (const { name, lines, child } of running) {
    t.equal((await lines.next()).value, `${last.id} x.pdf 1 43`, `${name} skips what is published again`)
    child.kill('SIGTERM')
    t.same(await once(child, 'close'), [0, null], `${name} stops on SIGTERM`)
  }
})

t.test(
  'the subscriber of docs/start/events.md handles each document once: over restarts, redeliveries and replays',
  async (t) => {
    await using platen = await startPlaten()
    const { url } = await subscriberAccount(platen)
    const env = { EVENTS_URL: url, DATABASE: join(t.testdir(), 'invoices.db') }
    const start = async () => {
      const child = runSample('docs/start/events.md', env)
      t.teardown(() => child.kill())
      const lines = linesOf(child)
      t.equal((await lines.next()).value, 'ready')
      return { child, lines }
    }
    const { generation: before } = await generate(platen, { html: '<p>before' })
    const one = await start()
    const { generation: first } = await generate(platen, { html: '<p>first' })
    t.equal((await one.lines.next()).value, `new ${first.id}`, `not ${before.id}`)
    one.child.kill()
    await once(one.child, 'close')
    const { generation: missed } = await generate(platen, { html: '<p>missed' })
    const two = await start()
    // Its acknowledgement may have been lost with the process.
    let { value: next } = await two.lines.next()
    if (next === `known ${first.id}`) next = (await two.lines.next()).value
    t.equal(next, `new ${missed.id}`)
    await runCli({ DATA_DIR: platen.dataDir }, 'replay', '--to-events', '--since', '2026-01-01')
    for (const { id } of [before, first, missed]) t.equal((await two.lines.next()).value, `replayed ${id}`)
    await publishAgain(platen, first.id)
    t.equal((await two.lines.next()).value, `known ${first.id}`)
  },
)

/** Publishes the completion of a generation under another message id, like a relay that has lost its position. */
async function publishAgain({ dataDir }: { dataDir: string }, id: string): Promise<void> {
  const embedded = await readEmbeddedNats(dataDir)
  if (!embedded) throw new Error(`no nats-server runs for ${dataDir}`)
  const { services: pass } = embedded.passwords
  const nats = await connect({ servers: embeddedNatsUrl(embedded.port), user: servicesUser, pass })
  const subject = `events.generation.completed.${id}`
  const manager = await nats.jetstreamManager()
  const consumer = await manager.consumers.add('EVENTS', { filter_subject: subject, ack_policy: AckPolicy.None })
  const message = await (await nats.jetstream().consumers.get('EVENTS', consumer.name)).next()
  if (!message) throw new Error(`EVENTS has no ${subject}`)
  await nats.jetstream().publish(subject, message.data)
  await nats.close()
}

/** Those in Go and Python are run if their packages are installed: nothing is downloaded. PYTHON may name another python3. */
function subscriberExamples(t: Test): { name: string; command: string; args: string[] }[] {
  const folder = join(root, 'examples/subscribers')
  const examples = [{ name: 'TypeScript', command: process.execPath, args: [join(folder, 'typescript/subscriber.ts')] }]
  const program = join(t.testdir(), 'subscriber')
  const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' }
  const build = spawnSync('go', ['build', '-o', program, '.'], { cwd: join(folder, 'go'), env })
  if (build.status === 0) examples.push({ name: 'Go', command: program, args: [] })
  else t.comment('the example in Go is not run: go with the modules of examples/subscribers/go is needed')
  const python = process.env.PYTHON ?? 'python3'
  const args = [join(folder, 'python/subscriber.py')]
  if (spawnSync(python, ['-c', 'import nats']).status === 0) examples.push({ name: 'Python', command: python, args })
  else t.comment('the example in Python is not run: python3 with nats-py is needed')
  return examples
}

t.test('the receiver of docs/guides/webhooks.md accepts signed webhooks only and prints each once', async (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const [port] = await freePorts(1)
  const receiver = runSample('docs/guides/webhooks.md', { PORT: String(port), WEBHOOK_SECRET: secret })
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

t.test('the samples of @platen/client run', async (t) => {
  await using platen = await startPlaten()
  const { url: eventsUrl } = await subscriberAccount(platen)
  const { body } = await platen.json<{ secret: string }>('/v1/webhook-secret')
  const [port] = await freePorts(1)
  const receiverUrl = `http://127.0.0.1:${port}/`
  const server = { PLATEN: platen.url, API_KEY: platen.apiKey }
  const env = { ...process.env, ...server, EVENTS_URL: eventsUrl, PORT: String(port), WEBHOOK_SECRET: body.secret }
  const folder = t.testdir({ 'package.json': '{"type": "module"}' })
  // The packages of the repository and the client, as an application has them.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const run = ({ code }: CodeBlock, index: number) => {
    writeFileSync(join(folder, `${index}.ts`), code)
    const child = spawn(process.execPath, [`${index}.ts`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => child.kill())
    return { exited: once(child, 'close'), lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  }
  const pages = ['clients/typescript/README.md', 'docs/reference/clients.md']
  const samples = pages
    .flatMap((page) => readBlocks(page, 'ts'))
    .filter(({ code }) => code.includes("'@platen/client'"))
  const [first, second, receiver, subscriber] = samples.map(run)
  if (!first || !second || !receiver || !subscriber) return t.fail('there are four samples')
  t.match((await first.lines.next()).value, /^1 0 http:.*signature=/)
  t.match((await second.lines.next()).value, /^\d+ bytes$/)
  t.strictSame(
    [await first.exited, await second.exited],
    [
      [0, null],
      [0, null],
    ],
  )
  t.match(await readFile(join(folder, 'hello.pdf'), 'latin1'), /^%PDF/)
  const failedAt = (await fetch(receiverUrl, { method: 'POST' }).catch(() => undefined))?.status
  t.equal(failedAt ?? 400, 400, 'an unsigned webhook')
  const input = { html: 'x', metadata: { order: '7' }, async: true, webhook_url: receiverUrl }
  const { body: queued } = await platen.json<{ id: string }>('/v1/generate', { body: input })
  t.equal((await receiver.lines.next()).value, `generation.completed ${queued.id} { order: '7' }`)
  t.match((await subscriber.lines.next()).value, /^com\.platen\.GenerationCompleted pdf_\w+\.pdf \d+$/)
})
