import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '@platen/test-support/free-port.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { readText, root } from '../testing/compose-file.ts'
import { services } from '../testing/service-settings.ts'

const run = promisify(execFile)
// Before version 23, Docker builds without BuildKit unless it is asked to.
const env = { ...process.env, DOCKER_BUILDKIT: '1' }
const docker = (...args: string[]) => run('docker', args, { cwd: root, env, maxBuffer: 64 * 2 ** 20 })

/** The output of a failed command. */
const failure = (running: Promise<unknown>): Promise<{ code: number; stdout: string; stderr: string }> =>
  running.then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    (err) => err,
  )

const image = 'platen-test'
const seccomp = 'deploy/docker/chromium-seccomp.json'
const apiKey = 'pk_0123456789abcdefghijklmnopqrstuvwxyz'
const name = (suffix: string) => `platen-test-${process.pid}-${suffix}`

/** Why these tests do not run here. */
async function reasonToSkip(): Promise<string | false> {
  return docker('version', '--format', '{{.Server.Version}}').then(
    () => false,
    (err) => `there is no Docker engine: ${String(err.stderr || err.message).split('\n')[0]}`,
  )
}

interface Readiness {
  reasons?: Record<string, string>
}

/** Starts a container of the all-in-one image. Returns its URL and how to end it. */
async function start(t: Test, suffix: string, options: string[]) {
  const [port] = await freePorts(1)
  const container = name(suffix)
  const publish = ['-p', `127.0.0.1:${port}:3000`, '-e', `API_KEY=${apiKey}`]
  t.teardown(() => failure(docker('rm', '-f', '-v', container)))
  await docker('run', '-d', '--name', container, ...publish, ...options, image)
  const url = `http://127.0.0.1:${port}`
  const readyz = () =>
    // `details` are for operators.
    fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${apiKey}` } }).then(
      async (response) => ({ status: response.status, body: (await response.json()) as Readiness }),
      () => undefined,
    )
  const generate = (body: object) =>
    fetch(`${url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const find = async (id: string) => {
    const response = await fetch(`${url}/v1/generations/${id}`, { headers: { authorization: `Bearer ${apiKey}` } })
    return (await response.json()) as { status: string }
  }
  return { container, url, readyz, generate, find }
}

const skip = await reasonToSkip()
t.setTimeout(3_600_000)

t.test('the images on a Docker engine', { skip }, async (t) => {
  await docker('build', '-q', '-f', 'deploy/docker/all-in-one.Dockerfile', '-t', image, '.')

  await t.test('the images of the four services are built', async (t) => {
    for (const service of services) {
      const file = service === 'renderer' ? 'renderer.Dockerfile' : 'Dockerfile'
      const args = ['-f', `deploy/docker/${file}`, '--build-arg', `SERVICE=${service}`, '-t', `${image}-${service}`]
      await docker('build', '-q', ...args, '.')
      // Without settings it names those that it needs, so that all of its packages were found.
      const { code, stderr } = await failure(docker('run', '--rm', `${image}-${service}`))
      t.equal(code, 1, service)
      t.match(stderr, /NATS_URL/, service)
    }
  })

  await t.test('the image prints its seccomp profile', async (t) => {
    t.equal((await docker('run', '--rm', image, 'seccomp-profile')).stdout, readText(seccomp))
  })

  await t.test('with the profile, a read-only root and no capability, it prints, and loses no job', async (t) => {
    const volume = name('data')
    t.teardown(() => failure(docker('volume', 'rm', volume)))
    const hardened = ['--read-only', '--tmpfs', '/tmp:mode=1777', '--cap-drop', 'ALL']
    const security = ['--security-opt', `seccomp=${seccomp}`, '--security-opt', 'no-new-privileges']
    const node = await start(t, 'hardened', [...hardened, ...security, '-v', `${volume}:/data`])
    const isReady = async () => ((await node.readyz())?.status === 200 ? true : undefined)
    await until(isReady, 'the container is not ready')
    t.match((await node.readyz())?.body, { details: { browser: { sandbox: true } } })
    const printed = await node.generate({ html: '<p>one</p>' })
    t.equal(printed.status, 200)
    t.match(await (await fetch(`${node.url}/docs/guides/paper`)).text(), /<h1 id="paper"/, 'the site is in the image')
    const uid = await docker('exec', node.container, 'id', '-u')
    t.equal(uid.stdout.trim(), '1000')
    t.match((await docker('exec', node.container, 'platen', 'keys', 'list')).stdout, /API_KEY/)
    t.match((await docker('exec', node.container, 'nats-server', '--version')).stdout, /v2\.(1[4-9]|[2-9]\d)/)

    const ids: string[] = []
    for (let number = 0; number < 20; number++) {
      const accepted = await node.generate({ html: `<p>${number}</p>`, async: true })
      t.equal(accepted.status, 202)
      ids.push(((await accepted.json()) as { id: string }).id)
    }
    await docker('kill', node.container)
    await docker('start', node.container)
    await until(isReady, 'the container is not ready again')
    for (const id of ids) {
      const isDone = async () => ((await node.find(id)).status === 'completed' ? true : undefined)
      await until(isDone, `${id} was not completed`)
    }
    const health = async () => (await docker('inspect', '-f', '{{.State.Health.Status}}', node.container)).stdout.trim()
    await until(async () => ((await health()) === 'healthy' ? true : undefined), 'the container is not healthy')
    await docker('stop', '-t', '60', node.container)
    t.equal((await docker('inspect', '-f', '{{.State.ExitCode}}', node.container)).stdout.trim(), '0')
  })

  await t.test('without the profile it says that it cannot print, and which option is missing', async (t) => {
    const node = await start(t, 'plain', [])
    const refused = async () => {
      const answer = await node.readyz()
      return answer?.body.reasons?.browser ? answer : undefined
    }
    t.match(await until(refused, 'it does not say that it cannot print'), {
      status: 503,
      body: { reasons: { browser: /--security-opt seccomp=/ } },
    })
    const { stdout } = await docker('logs', node.container)
    t.match(stdout, /cannot print documents:\n.*--security-opt seccomp=/)
  })

  await t.test('as root it does not start', async (t) => {
    const { code, stderr } = await failure(docker('run', '--rm', '--user', '0', image))
    t.equal(code, 1)
    t.match(stderr, /Remove --user 0/)
  })

  await t.test('a folder of the host that belongs to root is refused, and the message says what to do', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-images-'))
    t.teardown(() => rm(folder, { recursive: true }))
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'README'), '')
    const owner = process.getuid?.() === 1000 ? ['--user', '1001:1001'] : []
    const { code, stderr } = await failure(docker('run', '--rm', ...owner, '-v', `${folder}:/data`, image))
    t.equal(code, 1)
    t.match(stderr, /belongs to user \d+ .* chown -R \d+:\d+/)
  })
})
