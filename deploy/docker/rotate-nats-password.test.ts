import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { launchService, type Service } from '@platen/test-support/fleet.ts'
import { freePorts } from '@platen/test-support/free-port.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import type { Running } from '@platen/test-support/platen.ts'
import { until } from '@platen/test-support/until.ts'
import { connect } from 'nats'
import t from 'tap'
import { parseEnvFile, root } from '../testing/compose-file.ts'

t.setTimeout(600_000)

/** A folder with what the scripts of the repository need, and a nats-server with the configuration of docker-compose.yml. */
async function newDeployment() {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-rotate-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const part of ['deploy/docker', 'deploy/nats'])
    await cp(join(root, part), join(folder, part), { recursive: true })
  spawnSync(join(folder, 'deploy/docker/make-env.sh'))
  // The folders that are volumes in docker-compose.yml.
  await mkdir(join(folder, 'etc'))
  // Ports and folder are those of the test.
  const config = (await readFile(join(folder, 'deploy/nats/nats.conf'), 'utf8')).replace(
    /^ *(listen|http|store_dir):.*$/gm,
    '',
  )
  await writeFile(join(folder, 'etc/nats.conf'), config)
  await symlink('../.nats', join(folder, 'etc/passwords'))
  await symlink('../deploy/nats/renderer.conf', join(folder, 'etc/renderer.conf'))
  const [monitoring] = await freePorts(1)
  const nats = resources.use(await startNatsServer(['-c', join(folder, 'etc/nats.conf'), '-m', `${monitoring}`]))

  const calls: string[] = []
  let failsAt = Number.POSITIVE_INFINITY
  /** The behaviour and output of `docker`. Rejects if it fails. */
  let answer = async (call: string): Promise<string> => {
    if (call === 'compose exec -T nats nats-server --signal reload=1') process.kill(nats.pid, 'SIGHUP')
    if (!call.startsWith('compose exec -T nats wget')) return ''
    return (await fetch(`http://127.0.0.1:${monitoring}/varz`)).text()
  }
  const docker = createServer(async (request, response) => {
    const call = await text(request)
    calls.push(call)
    if (calls.length > failsAt) return void response.writeHead(500).end()
    await answer(call).then(
      (printed) => response.end(printed),
      () => response.writeHead(500).end(),
    )
  }).listen(0, '127.0.0.1')
  resources.defer(() => void docker.close())
  await once(docker, 'listening')
  const { port } = docker.address() as AddressInfo
  await mkdir(join(folder, 'bin'))
  const program = `#!/bin/sh\nexec curl -sS --fail --data-binary "$*\${NATS_PASSWORD:+ with another password than that of .env}" http://127.0.0.1:${port}/\n`
  await writeFile(join(folder, 'bin/docker'), program, { mode: 0o755 })
  const run = async (name: string, env: Record<string, string> = {}) => {
    const script = spawn(join(folder, 'deploy/docker', name), {
      env: { ...process.env, ...env, PATH: `${folder}/bin:${process.env.PATH}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [said, [code]] = await Promise.all([text(script.stderr), once(script, 'close')])
    return { said, code }
  }
  const running = resources.move()
  const before = answer
  return {
    folder,
    nats,
    calls,
    /** Handles other calls of `docker`. Those for nats go to the container. */
    onDocker(other: (call: string) => Promise<string>) {
      answer = async (call) => (call.startsWith('compose exec -T nats') ? before(call) : other(call))
    },
    /** From this call on, `docker` fails. */
    failAt(number: number) {
      failsAt = number
    },
    env: async () => parseEnvFile(await readFile(join(folder, '.env'), 'utf8')),
    /** Each line of the result is a program that a script has started, with its arguments. */
    async started() {
      const log = join(folder, 'started')
      for (const name of ['sed', 'grep', 'cp', 'mv', 'od', 'tail']) {
        const program = `#!/bin/sh\nprintf '%s\\n' "${name} $*" >>${log}\nexec /usr/bin/${name} "$@"\n`
        await writeFile(join(folder, 'bin', name), program, { mode: 0o755 })
      }
      return () => readFile(log, 'utf8')
    },
    rotate: (env?: Record<string, string>) => run('rotate-nats-password.sh', env),
    makeEnv: () => run('make-env.sh'),
    /** Whether nats-server accepts a login. */
    accepts: (user: string, pass: string) =>
      connect({ servers: nats.url, user, pass, reconnect: false }).then(
        (client) => client.close().then(() => true),
        () => false,
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

t.test('the password of NATS is changed while all services work, and no request fails', async (t) => {
  await using deployment = await newDeployment()
  const first = await deployment.env()
  t.equal((await stat(join(deployment.folder, '.nats/nats.conf'))).mode & 0o777, 0o600)
  t.ok(await deployment.accepts('platen', first.NATS_PASSWORD ?? ''))
  t.notOk(await deployment.accepts('platen-2', ''))

  const [gatewayPort = 0, otherPort = 0] = await freePorts(2)
  const gatewayPorts: Record<string, number> = { gateway: gatewayPort, 'gateway-2': otherPort }
  await using services = new AsyncDisposableStack()
  const running = new Map<string, Running>()
  const outputs: Running[] = []
  /** A container, with the settings of .env. Resolves when it is healthy. */
  const start = async (name: string) => {
    const env = await deployment.env()
    const port = gatewayPorts[name] ?? (await freePorts(1))[0]
    const isGateway = name in gatewayPorts
    const service = name.split('-')[0] as Service
    const ofRenderer = {
      NATS_USER: 'renderer',
      NATS_PASSWORD: env.NATS_RENDERER_PASSWORD ?? '',
      NATS_MANAGE_STREAMS: 'false',
    }
    const ofOthers = { NATS_USER: env.NATS_USER ?? '', NATS_PASSWORD: env.NATS_PASSWORD ?? '' }
    const launched = await launchService(service, {
      NATS_URL: deployment.nats.url,
      ...(service === 'renderer' ? ofRenderer : ofOthers),
      EVENT_STORE_URL: `sqlite:${deployment.folder}/events.db`,
      OBJECT_STORE_URL: `file:${deployment.folder}/objects`,
      SIGNING_SECRET: env.SIGNING_SECRET ?? '',
      PUBLIC_URL: `http://127.0.0.1:${gatewayPort}`,
      DATA_DIR: join(deployment.folder, name),
      RENDER_SLOTS: '1',
      ...(isGateway ? { PORT: `${port}`, API_KEY: env.API_KEY ?? '' } : { ADMIN_PORT: `${port}` }),
    })
    services.defer(() => launched.end())
    running.set(name, launched)
    outputs.push(launched)
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok
    while (!(await isReady())) await delay(50)
  }
  // The renderer has no right to create streams: it waits until the others have done it.
  const waiting = start('renderer')
  for (const name of ['gateway', 'gateway-2', 'template', 'notifier']) await start(name)
  await waiting

  deployment.onDocker(async (call) => {
    const [, container = ''] = /^stop (\S+)$/.exec(call) ?? []
    await running.get(container)?.end()
    const [, one = ''] = /^compose up -d --wait (gateway|gateway-2|notifier)$/.exec(call) ?? []
    await running.get(one)?.end()
    const [, another = ''] = /--no-recreate --scale (\w+)=2/.exec(call) ?? []
    if (one !== '') await start(one)
    if (another !== '') await start(`${another}-new`)
    return /^compose ps -q (renderer|template)$/.exec(call)?.[1] ?? ''
  })
  const left = connect({
    servers: deployment.nats.url,
    user: 'platen',
    pass: first.NATS_PASSWORD ?? '',
    reconnect: false,
  })

  const done = new AbortController()
  const answers: string[] = []
  const send = async (number: number) => {
    // As the proxy does: a gateway that accepts no connection, or closes it, is not asked again.
    for (let attempt = 0; attempt < 40; attempt++) {
      try {
        const response = await fetch(`http://127.0.0.1:${attempt % 2 ? otherPort : gatewayPort}/v1/generate`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${first.API_KEY}`,
            'content-type': 'application/json',
            'idempotency-key': `request-${number}`,
            connection: 'close',
          },
          body: JSON.stringify({ html: `<p>${number}`, async: number % 2 === 0 }),
        })
        return `${response.status} ${response.ok ? '' : await response.text()}`.trim()
      } catch {
        await delay(50)
      }
    }
    return 'no answer'
  }
  const client = async (from: number) => {
    for (let number = from; !done.signal.aborted; number += 2) {
      answers.push(await send(number))
      // The queue of asynchronous ones stays short.
      await delay(200)
    }
  }
  const clients = [client(0), client(1)]
  const { said, code } = await deployment.rotate()
  done.abort()
  await Promise.all(clients)
  t.match({ said, code }, { code: 0, said: 'connect to NATS as platen-2; the password of platen is refused' })
  t.ok(answers.length > 20, `${answers.length} requests`)
  t.same(
    answers.filter((answer) => !/^20[02]$/.test(answer)),
    [],
    `of ${answers.length} requests none has failed`,
  )
  t.comment(`${answers.length} requests`)

  const second = await deployment.env()
  t.match(second, { ...first, NATS_USER: 'platen-2', NATS_PASSWORD: /^s[0-9a-f]{64}$/ })
  t.not(second.NATS_PASSWORD, first.NATS_PASSWORD)
  t.ok(await deployment.accepts('platen-2', second.NATS_PASSWORD ?? ''))
  t.notOk(await deployment.accepts('platen', first.NATS_PASSWORD ?? ''), 'the old password is refused')
  t.ok(await (await left).closed().then(() => true), 'and a connection that was made with it is closed')
  for (const output of outputs) t.notMatch(output.output(), /NATS refuses the login/)
  for (const number of [0, answers.length]) t.match(await send(number), /^20[02]$/)
})

t.test('interrupted anywhere, the login of the services is accepted, and the next run ends the change', async (t) => {
  for (let failing = 0, isComplete = false; !isComplete; failing++) {
    await using deployment = await newDeployment()
    const before = await deployment.env()
    deployment.failAt(failing)
    const { code } = await deployment.rotate()
    isComplete = code === 0
    const between = await deployment.env()
    const at = `interrupted at ${deployment.calls.at(-1)}`
    t.ok(await deployment.accepts(between.NATS_USER ?? '', between.NATS_PASSWORD ?? ''), at)
    const isUpdated = deployment.calls.includes('compose up -d --wait proxy')
    // Services that were not restarted yet.
    if (!isUpdated) t.ok(await deployment.accepts('platen', before.NATS_PASSWORD ?? ''), at)
    deployment.failAt(Number.POSITIVE_INFINITY)
    if (!isComplete) t.match(await deployment.rotate(), { code: 0 }, at)
    const after = await deployment.env()
    t.ok(await deployment.accepts(after.NATS_USER ?? '', after.NATS_PASSWORD ?? ''), at)
    const passwords = await readFile(join(deployment.folder, '.nats/nats.conf'), 'utf8')
    t.equal(passwords.match(/^PLATEN.*"s[0-9a-f]{64}"$/gm)?.length, 1, `${at}: one password is accepted`)
    t.ok(
      await deployment.accepts('renderer', after.NATS_RENDERER_PASSWORD ?? ''),
      `${at}: that of the renderers is kept`,
    )
    t.notOk(await deployment.accepts('platen', before.NATS_PASSWORD ?? ''), `${at}: the old password is refused`)
    // The second rotation goes back to the first user.
    if (isComplete) {
      t.match(await deployment.rotate(), { code: 0, said: 'as platen; the password of platen-2 is refused' })
      t.notOk(await deployment.accepts('platen-2', after.NATS_PASSWORD ?? ''))
    }
  }
})

t.test('no secret is an argument of a program, and files keep their mode', async (t) => {
  await using deployment = await newDeployment()
  const path = join(deployment.folder, '.env')
  await chmod(path, 0o640)
  // Some editors leave out the last newline.
  await writeFile(path, (await readFile(path, 'utf8')).trimEnd())
  const before = await deployment.env()
  const started = await deployment.started()
  t.match(await deployment.rotate(), { code: 0 })
  t.equal((await stat(path)).mode & 0o777, 0o640)
  t.match(await deployment.env(), { ...before, NATS_USER: 'platen-2', NATS_PASSWORD: /^s[0-9a-f]{64}$/ })
  await rm(join(deployment.folder, '.nats'), { recursive: true })
  t.match(await deployment.makeEnv(), { code: 0 })
  await rm(path)
  t.match(await deployment.makeEnv(), { code: 0 })
  t.match(await started(), /sed/)
  t.notMatch(await started(), /s[0-9a-f]{64}/)
})

t.test('a login in the environment, which compose prefers to that of .env, reaches no service', async (t) => {
  await using deployment = await newDeployment()
  // The state after `set -a; . ./.env`.
  const { NATS_USER = '', NATS_PASSWORD = '' } = await deployment.env()
  t.match(await deployment.rotate({ NATS_USER, NATS_PASSWORD }), { code: 0 })
  t.same(
    deployment.calls.filter((call) => call.includes('another password')),
    [],
  )
})

t.test('of two runs at once one is refused', async (t) => {
  await using deployment = await newDeployment()
  const runs = await Promise.all([deployment.rotate(), deployment.rotate()])
  t.same(runs.map(({ code }) => code).sort(), [0, 1])
  t.match(
    runs.find(({ code }) => code === 1),
    { said: /another run changes the password now; wait until it has ended/ },
  )
  const { NATS_USER = '', NATS_PASSWORD = '' } = await deployment.env()
  t.ok(await deployment.accepts(NATS_USER, NATS_PASSWORD))
})

t.test('a .env of an earlier version, which has no .nats, gets one', async (t) => {
  await using deployment = await newDeployment()
  const before = await readFile(join(deployment.folder, '.env'), 'utf8')
  const passwords = join(deployment.folder, '.nats/nats.conf')
  const old = before.replace('NATS_USER=platen\n', '')
  for (const [env, slot] of [
    [old, 'PLATEN_PASS'],
    [old.replace('NATS_PASSWORD', 'NATS_USER=platen-2\nNATS_PASSWORD'), 'PLATEN_2_PASS'],
  ] as const) {
    await writeFile(join(deployment.folder, '.env'), env)
    await rm(join(deployment.folder, '.nats'), { recursive: true })
    // Docker creates a folder for a missing file of a volume.
    await mkdir(join(deployment.folder, '.nats'))
    t.match(await deployment.makeEnv(), { code: 0 })
    t.equal(await readFile(join(deployment.folder, '.env'), 'utf8'), env)
    const { NATS_USER = 'platen', NATS_PASSWORD = '' } = await deployment.env()
    t.match(await readFile(passwords, 'utf8'), `${slot}: "${NATS_PASSWORD}"\n`)
    process.kill(deployment.nats.pid, 'SIGHUP')
    await until(
      async () => (await deployment.accepts(NATS_USER, NATS_PASSWORD)) || undefined,
      () => `${NATS_USER} is refused`,
    )
    t.match(await deployment.makeEnv(), { code: 1, said: /\.env exists and is not changed/ })
  }
})

t.test('a .env that the scripts cannot read is refused, and nothing is changed', async (t) => {
  await using deployment = await newDeployment()
  const before = await readFile(join(deployment.folder, '.env'), 'utf8')
  const passwords = await readFile(join(deployment.folder, '.nats/nats.conf'), 'utf8')
  for (const [from, to, said] of [
    ['NATS_USER=platen', 'NATS_USER=somebody', 'NATS_USER must be platen or platen-2'],
    [/^NATS_PASSWORD=.*$/m, 'NATS_PASSWORD="quoted"', 'NATS_PASSWORD must be letters'],
    [/^NATS_PASSWORD=.*$/m, 'NATS_PASSWORD=', 'NATS_PASSWORD must be letters'],
  ] as const) {
    await writeFile(join(deployment.folder, '.env'), before.replace(from, to))
    t.match(await deployment.rotate(), { code: 1, said })
    t.equal(await readFile(join(deployment.folder, '.nats/nats.conf'), 'utf8'), passwords)
    t.same(deployment.calls, [])
  }
})
