import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { readCompose, readText, root } from '../testing/compose-file.ts'

interface Engine {
  /** A text of the calls that fail. */
  failsAt?: string
  /** The configuration of the nats-server that runs. */
  nats?: string
  /** What it has in /data. */
  data?: string
}

/** A `docker` that writes down its calls, and fails at those that contain a text. */
const docker = (
  folder: string,
  { failsAt = 'nothing', nats = join(root, 'deploy/nats'), data = folder }: Engine,
) => `#!/bin/sh
echo "$*" >>'${folder}/calls'
case "$*" in
  'compose ps -q renderer') printf 'renderer-1\\nrenderer-2\\n' ;;
  'compose ps -q template') echo template-1 ;;
  'compose exec -T nats cat '*) cat '${nats}'/"\${6##*/}" ;;
  'compose exec -T nats sh -c '* | 'compose run --rm -T --no-deps --entrypoint sh nats -c '*)
    for command in "$@"; do :; done
    sh -c "$(printf '%s' "$command" | sed 's#/data/#${data}/#g')" ;;
  *'${failsAt}'*) exit 1 ;;
esac
`

/** Runs update.sh. Returns what it calls Docker with, and its exit code. */
async function update(t: Test, engine: Engine = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-update-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'docker'), docker(folder, engine), { mode: 0o755 })
  const { status } = spawnSync(join(root, 'deploy/docker/update.sh'), {
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  })
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')
  return { status, calls: calls.filter((call) => !/^compose (ps|exec)/.test(call)) }
}

t.test('an update starts a container before it stops the one that it replaces, and renderers come first', async (t) => {
  const { status, calls } = await update(t)
  t.equal(status, 0)
  t.same(calls, [
    'compose build',
    'compose up -d --wait nats eventstore minio',
    'compose up -d --wait --no-recreate --scale renderer=3 renderer',
    'stop renderer-1',
    'rm renderer-1',
    'compose up -d --wait --no-recreate --scale renderer=3 renderer',
    'stop renderer-2',
    'rm renderer-2',
    'compose up -d --wait --scale renderer=2 renderer',
    'compose up -d --wait --no-recreate --scale template=2 template',
    'stop template-1',
    'rm template-1',
    'compose up -d --wait --scale template=1 template',
    'compose up -d --wait notifier',
    'compose up -d --wait gateway',
    'compose up -d --wait gateway-2',
    'compose up -d --wait proxy',
  ])
  // Compose would take a service that was started with another set of dependencies for a changed one: also the only proxy.
  for (const call of calls) t.notMatch(call, '--no-deps')
  const updated = calls.flatMap((call) => (call.startsWith('compose up') ? call.split(' ').slice(3) : []))
  t.same(
    [...new Set(updated.filter((word) => word in readCompose().services))].sort(),
    Object.keys(readCompose().services).sort(),
  )
})

t.test('what NATS had before it had accounts is that of the services after an update', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-update-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const data = ['-sd', folder]
  await using before = await startNatsServer(data)
  const old = await connect({ servers: before.url })
  await (await old.jetstreamManager()).streams.add({ name: 'COMMANDS', subjects: ['commands.>'] })
  await old.jetstream().publish('commands.render.x', 'accepted')
  await old.close()
  await before.stop()
  for (const isFirst of [true, false]) {
    const { calls } = await update(t, { data: folder })
    t.equal(calls.includes('compose stop nats'), isFirst, 'once')
  }
  // The account has the same name as in nats.conf.
  t.match(readText('deploy/nats/nats.conf'), /^ {2}PLATEN \{$/m)
  const config = ['-c', join(root, 'deploy/nats/accounts.conf')]
  const passwords = {
    OPERATORS_PASSWORD: 'p-operators',
    NATS_PASSWORD: 'p-services',
    NATS_RENDERER_PASSWORD: 'p-renderer',
    SUBSCRIBER_PASSWORD: 'p-subscriber',
  }
  await using after = await startNatsServer([...config, ...data], passwords)
  const services = await connect({ servers: after.url, user: 'operators', pass: 'p-operators' })
  t.equal((await (await services.jetstreamManager()).streams.info('COMMANDS')).state.messages, 1)
  await services.close()
})

t.test('a new container that does not become healthy ends the update, and no old one is stopped for it', async (t) => {
  const renderers = await update(t, { failsAt: '--scale renderer=3' })
  t.not(renderers.status, 0)
  t.same(
    renderers.calls.filter((call) => call.startsWith('stop')),
    [],
  )
  const gateway = await update(t, { failsAt: 'up -d --wait gateway' })
  t.not(gateway.status, 0)
  t.equal(gateway.calls.at(-1), 'compose up -d --wait gateway', 'the other gateway goes on')
})

t.test('a nats-server that runs with another configuration is replaced', async (t) => {
  const { status, calls } = await update(t, { nats: t.testdir({ 'nats.conf': '', 'renderer.conf': '' }) })
  t.equal(status, 0)
  t.same(calls.slice(1, 3), [
    'compose up -d --wait nats eventstore minio',
    'compose up -d --wait --force-recreate nats',
  ])
})
