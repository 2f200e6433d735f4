import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { type Clone, freshClone } from './fresh-clone.ts'

t.setTimeout(900_000)

const script = join(import.meta.dirname, '../../scripts/dev.sh')

const skip = existsSync(new URL('../../.git', import.meta.url)) ? false : 'this is no git repository'

interface Case {
  args?: string[]
  env?: Record<string, string>
  /** Output that shows that the script works. Then it is ended. */
  prints: RegExp
}

/** What works with what `npm start` has installed. */
const ofUsers: Record<string, Case> = {
  setup: { args: ['start'], prints: /$/ },
  examples: { prints: /\.pdf/ },
  docs: { prints: /$/ },
  platen: { args: ['deployment'], prints: /this deployment/ },
  // After this line it downloads.
  'bench:peers': { prints: /installing jsreport/ },
}

/** What installs the rest. */
const ofDevelopers: Record<string, Case> = {
  setup: { prints: /$/ },
  test: { args: ['scripts/test-runner/failures.test.ts'], prints: /^\d+ passed, 0 failed, 0 skipped$/m },
  'test:system': { args: ['--list'], prints: /^faults +\d+ min {2}/m },
  'test:lab': { args: ['--list'], prints: /^images +\d+ min {2}/m },
  // Without an engine, because a build takes minutes.
  'test:images': { env: { DOCKER_HOST: 'unix:///nowhere' }, prints: /^0 passed, 0 failed, \d+ skipped$/m },
  'test:faults': { args: ['--generations', '10', '--engines', 'embedded', '--no-disk'], prints: /^\d\d:\d\d:\d\d /m },
  'test:generators': { args: ['--list'], prints: /^openapi-python-client \S+: python3$/m },
  check: { prints: /^Checked \d+ files.*$/m },
  audit: { prints: /^audit: /m },
  format: { args: ['--max-diagnostics=5'], prints: /^Checked \d+ files.*No fixes applied/m },
  generate: { prints: /$/ },
  // The others need Python, or are built by `docs`.
  release: {
    args: ['--dry-run', '--only', 'npm,go,source,images,chart,changes,sbom'],
    prints: /^SHA256SUMS\n\nNothing was published\./m,
  },
  fidelity: { args: ['out/one', '--repeat', '1'], prints: /^1 documents, .*$/m },
  bench: { args: ['--quick'], prints: /^bench: (?!other processes).*$/m },
  'bench:engines': { args: ['--quick'], prints: /^bench: event stores$/m },
}

/** Runs it until it prints its first work. A pattern that is always found waits for its end. */
async function tryScript(clone: Clone, script: string, { args, env, prints }: Case): Promise<void> {
  const running = clone.start(script, args, env)
  if (prints.source !== '$') {
    await running.printed(prints)
    await running.stop()
    return
  }
  const { code, output } = await running.ended
  if (code !== 0) throw new Error(`npm run ${script} ended with exit code ${code}:\n${output.slice(-3_000)}`)
}

t.test('npm start refuses arguments, which it would ignore, and shows its usage', async (t) => {
  const start = (...args: string[]) => spawnSync('sh', [script, 'start', ...args], { encoding: 'utf8' })
  t.match(start('--help'), { status: 0, stdout: /^usage: npm start / })
  t.match(start('--port', '4000'), { status: 2, stderr: /takes no arguments, this is --port.*PORT=4000 npm start/ })
})

t.test('an option that npm has kept for itself is refused, since a dry run would be a real one', async (t) => {
  const env = { ...process.env, npm_config_dry_run: 'true', npm_lifecycle_event: 'platen' }
  const { status, stderr } = spawnSync('sh', [script, 'cli', 'generations', 'list'], { encoding: 'utf8', env })
  t.match({ status, stderr }, { status: 1, stderr: /npm has kept --dry-run for itself: npm run platen -- … --dry-run/ })
})

t.test('every script of package.json is tried', async (t) => {
  const tried = new Set(['start', ...Object.keys(ofUsers), ...Object.keys(ofDevelopers)])
  t.same(Object.keys(manifest.scripts).sort(), [...tried].sort())
})

t.test('in a fresh clone with an empty home', { skip }, async (t) => {
  await using clone = await freshClone()
  const isInstalled = (name: string) => existsSync(join(clone.folder, 'node_modules', name))

  await t.test('npm start runs, and beside it what users need', async (t) => {
    const port = String(await freePort())
    const env = { PORT: port, PLATEN_URL: `http://127.0.0.1:${port}`, DATA_DIR: join(clone.folder, 'data') }
    const platen = clone.start('start', [], env)
    try {
      const [, path = ''] = /API_KEY=\$\(cat (\S+)\)/.exec(await platen.printed(/API_KEY=\$\(cat \S+\)/)) ?? []
      const API_KEY = (await readFile(path, 'utf8')).trim()
      for (const [script, one] of Object.entries(ofUsers)) {
        await tryScript(clone, script, { ...one, env: { ...env, API_KEY } })
        t.pass(script)
      }
      // The site is built in the background, with the installed packages.
      const site = async () =>
        (await (await fetch(`${env.PLATEN_URL}/docs/guides/paper`)).text()).includes('<h1 id="paper"') || undefined
      t.ok(await until(site, 'the site is not built'), 'the site of the documentation')
    } finally {
      t.match(await platen.stop(), { code: 0 })
    }
    for (const name of ['tap', 'typescript', '@biomejs']) t.notOk(isInstalled(name), `${name} is not installed`)
  })

  await mkdir(join(clone.folder, 'out/one'), { recursive: true })
  await writeFile(join(clone.folder, 'out/one/index.html'), '<p>one')
  for (const [script, one] of Object.entries(ofDevelopers)) {
    await t.test(`npm run ${script} installs what it needs`, async () => {
      // Makes the script install its set of packages anew, which removes all others.
      await rm(join(clone.folder, 'node_modules/.platen-installed'), { recursive: true })
      await tryScript(clone, script, one)
    })
  }

  t.equal(clone.git('diff', '--name-only'), '', 'the scripts change no file')
  t.equal(clone.git('ls-files', '--others', '--exclude-standard'), '', 'what they write is ignored by git')
})
