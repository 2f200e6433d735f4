import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { atTerminal, noTerminal } from '../support/at-terminal.ts'
import { freePorts } from '../support/free-port.ts'
import { pagesWithCommands, readBlocks, root } from './code-blocks.ts'
import { Shell } from './shell.ts'

/** Every page with commands, in the order in which a reader follows them. */
const pages = [
  'README.md',
  'examples/README.md',
  'docs/start/first-pdf.md',
  'docs/start/invoice.md',
  'docs/start/webhook.md',
  'docs/reference/api.md',
  'docs/guides/generate.md',
  'docs/reference/options.md',
  'docs/guides/after-the-print.md',
  'docs/guides/pdf-tools.md',
  'docs/guides/pdf-forms.md',
  'docs/guides/retain-input.md',
  'docs/guides/gotenberg.md',
  'docs/reference/gotenberg.md',
  'docs/guides/migrate.md',
  'docs/guides/pdf-standards.md',
  'docs/guides/waiting.md',
  'docs/guides/warnings.md',
  'docs/guides/asynchronous.md',
  'docs/guides/batches.md',
  'docs/guides/batches-cli.md',
  'docs/guides/templates.md',
  'docs/guides/versions-and-labels.md',
  'docs/guides/preview.md',
  'docs/guides/data-checks.md',
  'docs/guides/languages.md',
  'docs/guides/own-helpers.md',
  'docs/guides/retry-safely.md',
  'docs/operate/api-keys.md',
  'docs/operate/studio.md',
  'docs/guides/webhooks.md',
  'docs/guides/webhook-receiver.md',
  'docs/guides/assets.md',
  'docs/guides/fonts.md',
  'docs/guides/resources.md',
  'docs/guides/packages.md',
  'docs/guides/partials.md',
  'docs/reference/events.md',
  'docs/guides/subscribe.md',
  'docs/guides/catch-up.md',
  'docs/operate/over-http.md',
  'docs/operate/history.md',
  'docs/operate/metrics.md',
  'docs/operate/one-machine.md',
  'docs/operate/signing-keys.md',
  'docs/operate/backup.md',
  'docs/operate/backup-bucket.md',
  'docs/operate/verify-a-backup.md',
  'docs/operate/restore.md',
  'docs/operate/archive.md',
  'docs/operate/remove-events.md',
  'docs/operate/erase.md',
  'docs/operate/rotate-secrets.md',
  'docs/guides/compare-pages.md',
  'docs/guides/gate-a-version.md',
  'docs/guides/templates-as-files.md',
  'docs/operate/weekly.md',
  'docs/operate/processes.md',
  'docs/operate/identity.md',
  'docs/operate/views.md',
  'docs/operate/docker.md',
  'docs/operate/compose.md',
  'docs/operate/scale-out.md',
  'docs/operate/container-security.md',
  'docs/operate/eventstoredb.md',
  'docs/understand/benchmarks.md',
  'test/fidelity/README.md',
  'test/faults/harness/README.md',
  'CONTRIBUTING.md',
]

/** Blocks that this test does not run, by name, with the reason. All other blocks are run. */
const notRun: Record<string, string> = {
  'README.md, Start, 1': 'npm start runs beside the blocks',
  'docs/start/first-pdf.md, A first PDF, 1': 'npm start runs beside the blocks',
  'docs/guides/packages.md, Use Chart.js, KaTeX and CSS frameworks from npm, 1':
    'downloads packages; test/features/npm-assets.test.ts pushes them',
  'docs/start/webhook.md, A webhook when the document is ready, 1':
    'the one that runs beside the blocks has this setting',
  'docs/guides/gotenberg.md, Clients of Gotenberg, 1':
    'npm start runs beside the blocks; test/features/gotenberg.test.ts has a port for clients of Gotenberg',
  'docs/guides/gotenberg.md, Clients of Gotenberg, 2': 'needs that port',
  'docs/guides/migrate.md, What jsreport has stored, 1':
    'needs an export of the reader; test/features/import-jsreport.test.ts imports one',
  'docs/reference/gotenberg.md, Scenarios of Gotenberg, 1': "needs Gotenberg's repository, and takes many minutes",
  'docs/guides/pdf-standards.md, Signatures, 1': 'needs a signing key; test/features/pdf-standards.test.ts has one',
  'docs/operate/one-machine.md, One machine, with systemd, 1': 'needs systemd and root',
  'docs/operate/backup-bucket.md, Back up into a bucket, 1':
    'needs a bucket; cli/src/operate/backup/s3.test.ts has one',
  'docs/operate/restore.md, Restore, 1': 'needs systemd; cli/src/operate/backup/backup.test.ts restores',
  'docs/operate/processes.md, Streams, 1': 'needs a NATS server with two accounts; test/processes has one',
  'docs/operate/docker.md, One container, 1': 'needs Docker; npm run test:images runs the same',
  'docs/operate/rotate-secrets.md, Keys of S3 or MinIO, 1': 'needs Docker',
  'docs/operate/compose.md, Docker Compose, 1': 'needs Docker',
  'docs/operate/compose.md, The command line, 1': 'needs Docker',
  'docs/operate/scale-out.md, Scale out, 1': 'needs Docker, or Kubernetes',
  'docs/operate/eventstoredb.md, The user of the services, 1': 'needs an EventStoreDB with users',
  'docs/understand/benchmarks.md, Benchmarks, 1': 'takes many minutes',
  'test/faults/harness/README.md, Tests under faults, 1':
    'takes many minutes; npm run test:system contains a short form',
  'CONTRIBUTING.md, Set up, 1': 'npm test contains this test, and the checks and npm start are run anyway',
  'test/fidelity/README.md, Fidelity: Platen beside plain Chromium, 1':
    'takes many minutes and needs documents of the reader',
  "docs/operate/container-security.md, Chromium's sandbox, 1": 'needs an unprivileged user and user namespaces',
}

/** Blocks that are only run where a program is installed that Platen does not need. */
const needed: Record<string, string> = {}

/** Runs all services on the ports of npm start, so npm start is stopped before. */
const replacesPlaten = 'docs/operate/processes.md, Each service in its own process, 1'

const blocks = pages.flatMap((page) => readBlocks(page))

/** The ports in the documentation. Each becomes a free port. */
const ports = ['3000', '4222', '8080', '8222', '9461', '9462', '9463', '14222']

t.test('every page with commands is tested, and every exception exists', async (t) => {
  t.same(pagesWithCommands().sort(), [...pages].sort())
  const names = blocks.map(({ name }) => name)
  t.equal(new Set(names).size, names.length, 'names are unique')
  for (const name of [...Object.keys(notRun), ...Object.keys(needed), replacesPlaten]) t.ok(names.includes(name), name)
})

t.test('a page with the command `api` says where it is set up, as readers come from the search', async (t) => {
  const usesApi = (page: string) => readBlocks(page).some(({ code }) => /^api |\$\(api /m.test(code))
  const using = pages.filter(usesApi)
  t.ok(using.length > 20)
  for (const page of using) {
    const text = readFileSync(join(root, page), 'utf8')
    t.ok(text.includes('alias api=') || /\]\([./a-z]*first-pdf\.md\)/.test(text), page)
  }
})

t.test(
  'the commands of the documentation run in the order of a reader',
  { timeout: 1_500_000, skip: noTerminal },
  async (t) => {
    const folder = await freshClone()
    t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const free = new Map((await freePorts(ports.length)).map((port, index) => [ports[index], String(port)]))
    const { PATH = '', NODE_COMPILE_CACHE } = process.env
    const env = {
      PATH,
      HOME: join(folder, 'home'),
      PORT: free.get('3000') ?? '',
      NATS_PORT: free.get('14222') ?? '',
      PLATEN_URL: `http://127.0.0.1:${free.get('3000')}`,
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      OWN_HELPERS: 'on',
      // Otherwise the site is built beside the blocks. test/docs/site.test.ts builds it.
      DOCS: 'off',
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    }
    const platen = await startPlaten(folder, env)
    t.teardown(() => platen.stop())
    await using shell = new Shell(folder, env)
    let printed = platen.output

    const withPorts = (commands: string) =>
      commands.replace(new RegExp(`\\b(${ports.join('|')})\\b`, 'g'), (port) => free.get(port) ?? port)

    for (const { name, code } of blocks) {
      if (notRun[name] !== undefined) continue
      const program = needed[name]
      if (program !== undefined && !isInstalled(program)) continue
      if (name === replacesPlaten) await platen.stop()
      for (const part of untilIdIsCopied(withPorts(code))) {
        const adapted = withLastId(part, printed)
        const { exitCode, output } = await shell.run(part.includes('# Answers 4') ? failing(adapted) : adapted)
        printed += output
        if (exitCode !== 0)
          return t.fail(`${name}: exit code ${exitCode}`, { commands: adapted, output: output.slice(-2_000) })
      }
      t.pass(name)
    }
  },
)

/** The parts of a block, each from a line such as `export GENERATION=pdf_…` to the next one. */
function untilIdIsCopied(commands: string): string[] {
  return commands.split(/^(?=export \w+=[a-z]+_…)/m)
}

/** A line `export GENERATION=pdf_…` stands for copying the last id of this kind that was printed. */
function withLastId(commands: string, printed: string): string {
  return commands.replace(/^(export \w+=)([a-z]+_)…/, (_, assignment, prefix) => {
    const ids = printed.match(new RegExp(`\\b${prefix}\\w+`, 'g'))
    return `${assignment}${ids?.at(-1) ?? 'missing'}`
  })
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** The commands are to end with an HTTP error, which is curl's exit code 22. */
function failing(commands: string): string {
  return `set +e\n(\n${commands})\ncode=$?\nset -e\n[ $code = 22 ]\n`
}

/** A folder with links to the files of this one, and without what Platen writes. */
async function freshClone(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-docs-'))
  mkdirSync(join(folder, 'home'))
  for (const name of readdirSync(root)) {
    if (!['data', 'out', 'backup', '.git', '.tap'].includes(name)) symlinkSync(join(root, name), join(folder, name))
  }
  return folder
}

/** `npm start` at a terminal of its own. Resolves when Platen is ready and has shown the API key. */
async function startPlaten(
  cwd: string,
  env: Record<string, string>,
): Promise<{ output: string; stop(): Promise<void> }> {
  const [program = '', ...args] = atTerminal(['npm', 'start'])
  const npm = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const closed = once(npm, 'close')
  let output = ''
  const ready = new Promise<void>((resolve) => {
    npm.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      if (/Platen is ready.*\bpk_\w+\s/s.test(output)) resolve()
    })
  })
  await Promise.race([ready, closed])
  return {
    output,
    async stop() {
      if (npm.exitCode === null && npm.signalCode === null) npm.kill('SIGTERM')
      await closed
    },
  }
}
