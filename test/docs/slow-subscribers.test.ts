import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createStreams, goldenEvent, publish } from '@platen/events/testing'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { startNatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'
import { root } from './code-blocks.ts'

// A handler that takes longer than the ack wait: the examples tell the server that they are still at it.

const examples = join(root, 'examples/subscribers')
const goEnv = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' }

/** The text with these replaced: the first of a pair by the second. */
function changed(file: string, ...changes: [string, string][]): string {
  return changes.reduce(
    (text, [old, replacement]) => {
      if (!text.includes(old)) throw new Error(`${file} does not have ${old}`)
      return text.replace(old, replacement)
    },
    readFileSync(file, 'utf8'),
  )
}

async function isKept(t: Test, durable: string, command: string, args: string[], go: string) {
  await using server = await startNatsServer()
  const nats = await connect({ servers: server.url })
  t.teardown(() => nats.close())
  await createStreams(nats)
  let kept = 0
  nats.subscribe(`$JS.ACK.EVENTS.${durable}.>`, {
    callback: (_, message) => {
      if (message.string() === '+WPI') kept++
    },
  })
  await nats.flush()
  const env = { ...process.env, EVENTS_URL: server.url, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  t.equal((await lines.next()).value, 'ready')
  await publish(nats, goldenEvent('GenerationCompleted', { subject: 'pdf_slow' }))
  await until(async () => kept >= 2 || undefined, 'the server does not hear that the event is being handled')
  writeFileSync(go, '')
  t.match((await lines.next()).value, /^pdf_slow /)
  child.kill('SIGTERM')
  await once(child, 'close')
}

t.test('the example in Go keeps an event that takes long', async (t) => {
  const folder = t.testdir()
  const [code, go] = [join(folder, 'code'), join(folder, 'go')]
  cpSync(join(examples, 'go'), code, { recursive: true })
  const wait = `for _, err := os.Stat(${JSON.stringify(go)}); err != nil; _, err = os.Stat(${JSON.stringify(go)}) {\n\t\ttime.Sleep(20 * time.Millisecond)\n\t}\n`
  const start = 'func handle(e event) error {\n'
  const policy = 'DeliverPolicy: jetstream.DeliverNewPolicy,'
  const main = changed(
    join(code, 'main.go'),
    [start, start + wait],
    [policy, `${policy} AckWait: 900*time.Millisecond,`],
  )
  writeFileSync(join(code, 'main.go'), main)
  const { status } = spawnSync('go', ['build', '-o', 'subscriber', '.'], { cwd: code, env: goEnv })
  if (status !== 0) return t.pass('it is not run', { skip: 'go with the modules of examples/subscribers/go is needed' })
  await isKept(t, 'go-example', join(code, 'subscriber'), [], go)
})

t.test('the example in Python keeps an event that takes long', async (t) => {
  const python = process.env.PYTHON ?? 'python3'
  if (spawnSync(python, ['-c', 'import nats']).status !== 0)
    return t.pass('it is not run', { skip: 'python3 with nats-py is needed' })
  const folder = t.testdir()
  const [file, go] = [join(folder, 'subscriber.py'), join(folder, 'go')]
  const start = 'def handle(event):\n'
  const wait = `    import time\n    while not os.path.exists(${JSON.stringify(go)}):\n        time.sleep(0.02)\n`
  writeFileSync(
    file,
    changed(join(examples, 'python/subscriber.py'), [start, start + wait], ['ack_wait=30', 'ack_wait=0.9']),
  )
  await isKept(t, 'python-example', python, [file], go)
})
