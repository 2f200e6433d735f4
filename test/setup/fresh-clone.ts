import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What a new machine has too: programs, certificates, a proxy. TAP_CHILD_KEY marks the processes of this test. */
const kept = /^(PATH|LANG|TAP_CHILD_KEY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|NATS_SERVER_PATH|CHROMIUM_PATH|\w+_proxy)$/i
const patienceMs = 300_000
const stopMs = 20_000

export interface Ran {
  /** `undefined`: it was ended when it had printed what was waited for. */
  code: number | undefined
  output: string
}

export interface RunningScript {
  ended: Promise<Ran>
  /** Resolves with the match. Rejects with the output if the script ends before. */
  printed(pattern: RegExp): Promise<string>
  stop(): Promise<Ran>
}

export interface Clone extends AsyncDisposable {
  folder: string
  git(...args: string[]): string
  /** Starts `npm run <script>`. */
  start(script: string, args?: readonly string[], env?: Record<string, string>): RunningScript
}

/**
 * A clone of HEAD with the changes of the working copy, which are committed, and an empty home. Only the downloads of npm and pnpm are shared
 * with the user of the test, because a separate folder would be filled from the registry each time.
 */
export async function freshClone(): Promise<Clone> {
  const parent = await mkdtemp(join(tmpdir(), 'platen-clone-'))
  const [folder, home] = [join(parent, 'platen'), join(parent, 'home')]
  await mkdir(home)
  execFileSync('git', ['clone', '-q', root, folder])
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  const changes = execFileSync('git', ['diff', 'HEAD', '--binary'], { cwd: root, maxBuffer: 2 ** 28 })
  if (changes.length > 0) {
    execFileSync('git', ['apply', '--index', '-'], { cwd: folder, input: changes })
    // A release is refused for changes that are not committed.
    git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'test: changes')
  }
  const clean = await environment(home)
  return {
    folder,
    git,
    start: (script, args = [], env = {}) => startScript(folder, ['run', script, '--', ...args], { ...clean, ...env }),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true, maxRetries: 5 }),
  }
}

async function environment(home: string): Promise<NodeJS.ProcessEnv> {
  const own = Object.entries(process.env).filter(([name]) => kept.test(name))
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const installed = await readFile(join(root, 'node_modules/.modules.yaml'), 'utf8')
  const [, store] = /storeDir"?: "?(.+)\/v\d+"?/.exec(installed) ?? []
  return {
    ...Object.fromEntries(own),
    PATH: path.join(':'),
    HOME: home,
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    ...(store !== undefined && { pnpm_config_store_dir: store }),
  }
}

function startScript(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): RunningScript {
  const npm = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let isEnded = false
  const ended = once(npm, 'close').then(([code]): Ran => {
    isEnded = true
    return { code: typeof code === 'number' ? code : undefined, output }
  })
  const toAll = (signal: NodeJS.Signals) => {
    if (npm.pid !== undefined && !isEnded) process.kill(-npm.pid, signal)
  }
  return {
    ended,
    async printed(pattern) {
      for (const startedAt = performance.now(); performance.now() - startedAt < patienceMs; await delay(50)) {
        const [found] = pattern.exec(output) ?? []
        if (found !== undefined) return found
        if (isEnded) break
      }
      throw new Error(`npm ${args.join(' ')} did not print ${pattern}:\n${output.slice(-3_000)}`)
    },
    async stop() {
      toAll('SIGTERM')
      const timer = setTimeout(toAll, stopMs, 'SIGKILL')
      return ended.finally(() => clearTimeout(timer))
    },
  }
}
