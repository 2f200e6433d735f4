import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'
import { BrowserLost } from './browser-errors.ts'
import { type Connection, openConnection } from './cdp/connection.ts'
import { chromiumFlags, environmentOf } from './chromium-flags.ts'
import { limitedCommand } from './limited-command.ts'
import { lookAtGroup, type ProcessGroup } from './process-group.ts'

export interface LaunchOptions {
  executablePath: string
  sandbox: boolean
  /** The address of the egress proxies: the only one that the browser may connect to. */
  proxyHost: string
  /** Of whatever the browser answers, base64 included. */
  maxAnswerBytes: number
  /** Nothing is painted for a screen: for documents that need no animation frames. Headless shell only. */
  beginFrameControl?: boolean
  /** Where its profile is kept while it runs; absent: where temporary files are. */
  profilesFolder?: string
  log: Logger
}

export interface RunningBrowser {
  connection: Connection
  version: string
  /** The lean build, which alone knows begin-frame control. */
  headlessShell: boolean
  pid: number
  /** Aborts with BrowserLost when the process has gone, however it ended. */
  gone: AbortSignal
  /** Its processes; undefined where they cannot be seen. */
  lookAtProcesses(): Promise<ProcessGroup | undefined>
  kill(): void
  /** Ends the process: by asking, else by force. Resolves when it has gone. */
  close(): Promise<void>
}

const launchTimeoutMs = 20_000
/** A browser that ended by itself is known to have ended within this time, and of what. */
const endKnownAfterMs = 200
export const closeTimeoutMs = 2_000

export async function launchBrowser(options: LaunchOptions): Promise<RunningBrowser> {
  const profile = await mkdtemp(join(options.profilesFolder ?? tmpdir(), 'platen-chromium-'))
  // A process group of its own: killed as one, wrapper script, helpers and all.
  const child = spawn(...limitedCommand(options.executablePath, chromiumFlags({ ...options, profile })), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // biome-ignore lint/style/noProcessEnv: browsers inherit a part of the environment
    env: environmentOf(process.env),
    detached: true,
  })
  const gone = new AbortController()
  const exited = Promise.withResolvers<void>()
  const kill = () => killGroup(child)
  const complaint = lastWords(child)
  const [, , , input, output] = child.stdio as [null, null, Readable, Writable, Readable]
  const connection = openConnection({ input, output, maxAnswerBytes: options.maxAnswerBytes })
  const end = (reason: BrowserLost) => {
    if (gone.signal.aborted) return
    gone.abort(reason)
    connection.close()
    // Whatever outlived the browser is of no use to anybody.
    kill()
    rm(profile, { recursive: true, force: true, maxRetries: 3 })
      .catch(() => {})
      .then(exited.resolve)
  }
  child.once('exit', (code, signal) => end(whyGone(code, signal)))
  child.once('error', (cause) => end(new BrowserLost('the browser cannot be run', { cause })))
  connection.closed.addEventListener('abort', () => setTimeout(kill, endKnownAfterMs), { once: true })
  connection.browser.on('Target.targetCrashed', ({ status }) => {
    // Its zygote is gone: what is open lives on, and no page will ever be opened again.
    if (status === 'failed to launch') kill()
  })

  const close = async () => {
    const late = setTimeout(kill, closeTimeoutMs)
    await Promise.all([connection.browser.send('Browser.close').catch(() => {}), exited.promise])
    clearTimeout(late)
  }
  try {
    const started = AbortSignal.any([gone.signal, AbortSignal.timeout(launchTimeoutMs)])
    const { product } = await untilAborted(connection.browser.send('Browser.getVersion'), started)
    const pid = await untilAborted(processId(connection), started)
    // Tells of what a page's process died. Pages only: a document may start as many workers as it likes.
    await untilAborted(connection.browser.send('Target.setDiscoverTargets', pagesOnly), started)
    const [name, version = 'unknown'] = product.split('/')
    options.log.info({ pid, version }, 'browser started')
    // It writes there what documents log to their consoles, hundreds of megabytes a second from one that means harm.
    child.stderr?.destroy()
    const headlessShell = name === 'HeadlessChrome'
    const lookAtProcesses = () => lookAtGroup(child.pid ?? 0)
    return { connection, version, headlessShell, pid, gone: gone.signal, lookAtProcesses, kill, close }
  } catch (err) {
    kill()
    throw new Error(`the browser did not start: ${complaint()}`, { cause: err })
  }
}

const pagesOnly = { discover: true, filter: [{ type: 'page' }] }

/** No document can send a signal: one that ends by SIGKILL was ended by somebody else, or by us. */
function whyGone(code: number | null, signal: NodeJS.Signals | null): BrowserLost {
  // As a shell tells that its child was.
  const killed = signal === 'SIGKILL' || code === 128 + 9
  return new BrowserLost(`the browser ended: ${signal ?? code}`, { blameless: killed })
}

/** Debian's browser is started by a shell script: the child is not the browser itself. */
async function processId({ browser }: Connection): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
  const main = processInfo.find(({ type }) => type === 'browser')
  if (!main) throw new Error('the browser does not tell its process id')
  return main.id
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** The end of what the browser wrote to its error output, for the one line that tells why it does not start. */
function lastWords(child: ChildProcess): () => string {
  let text = ''
  child.once('error', (err) => {
    text += String(err)
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-1_000)
  })
  return () => text.trim() || 'it says nothing'
}

let warned = false

/** Chromium's sandbox does not work for root: a development machine goes on without it, after one warning. */
export function sandboxFor(wanted: boolean, log: Logger): boolean {
  const root = process.getuid?.() === 0
  if (wanted && root && !warned) {
    warned = true
    log.warn('running as root: Chromium runs without its sandbox. Run as another user in production')
  }
  return wanted && !root
}
