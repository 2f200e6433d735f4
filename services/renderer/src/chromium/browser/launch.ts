import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { BrowserProcess } from './browser-process.ts'
import type { Connection } from './cdp/connection.ts'
import { chromiumFlags, type FlagOptions } from './chromium-flags.ts'
import { defaultDocumentMemoryMb } from './document-memory.ts'
import type { ProgramEnvironment } from './environment.ts'
import { isSandboxFailure, SandboxUnavailable, sandboxAdvice } from './sandbox.ts'

export interface LaunchOptions extends Omit<FlagOptions, 'profile'> {
  executablePath: string
  environment: ProgramEnvironment
  /** The longest answer of the browser, in bytes, as base64. */
  maxAnswerBytes: number
  /** The memory of each of its processes, in MiB: a document above it crashes its page. */
  documentMemoryMb?: number
  /** The parent folder of its profile. Default: the folder for temporary files. */
  profilesFolder?: string
  log: Logger
}

export interface RunningBrowser extends BrowserProcess {
  version: string
  /** The headless shell is the only build with begin-frame control. */
  headlessShell: boolean
  pid: number
}

const launchTimeoutMs = 20_000

/** Starts a browser. Rejects with its error output if it does not answer in time. */
export async function launchBrowser(options: LaunchOptions): Promise<RunningBrowser> {
  const profile = await mkdtemp(join(options.profilesFolder ?? tmpdir(), 'platen-chromium-'))
  const { executablePath, environment, maxAnswerBytes, documentMemoryMb = defaultDocumentMemoryMb } = options
  const flags = chromiumFlags({ ...options, profile })
  const browser = new BrowserProcess({ executablePath, environment, flags, profile, maxAnswerBytes, documentMemoryMb })
  const { connection, gone, kill } = browser
  connection.browser.on('Target.targetCrashed', ({ status }) => {
    // The zygote has exited: open pages go on, but no other page can be opened.
    if (status === 'failed to launch') kill()
  })
  try {
    const started = AbortSignal.any([gone, AbortSignal.timeout(launchTimeoutMs)])
    const { product } = await untilAborted(connection.browser.send('Browser.getVersion'), started)
    const pid = await untilAborted(processId(connection), started)
    // Reports why a page crashed. Pages only, because a document may start any number of workers.
    const pages = { discover: true, filter: [{ type: 'page' }] }
    await untilAborted(connection.browser.send('Target.setDiscoverTargets', pages), started)
    // A page waits before its first request until it is set up.
    const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: pages.filter }
    await untilAborted(connection.browser.send('Target.setAutoAttach', attach), started)
    browser.closeErrorOutput()
    const [name, version = 'unknown'] = product.split('/')
    options.log.info({ pid, version }, 'browser started')
    return Object.assign(browser, { version, headlessShell: name === 'HeadlessChrome', pid })
  } catch (err) {
    kill()
    const output = await browser.errorOutput()
    if (options.sandbox && isSandboxFailure(output)) throw new SandboxUnavailable(sandboxAdvice, { cause: err })
    throw new Error(`the browser did not start: ${output}`, { cause: err })
  }
}

/** Debian's package starts the browser from a shell script, so that the child process may not be the browser. */
async function processId({ browser }: Connection): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
  const main = processInfo.find(({ type }) => type === 'browser')
  if (!main) throw new Error('the browser does not report its process id')
  return main.id
}

/** Why Chromium starts without its sandbox, which does not work for root. Undefined if it has it. */
export function reasonForNoSandbox(wanted: boolean): 'root' | 'setting' | undefined {
  if (!wanted) return 'setting'
  return process.getuid?.() === 0 ? 'root' : undefined
}

/** Whether Chromium is to start with its sandbox. Warns if not. */
export function decideSandbox(wanted: boolean, log: Logger): boolean {
  const reason = reasonForNoSandbox(wanted)
  if (reason === 'setting')
    log.warn('CHROMIUM_SANDBOX=false: Chromium runs without its sandbox. Documents contain the code of others')
  if (reason === 'root')
    log.warn('running as root: Chromium runs without its sandbox. Run as another user in production')
  return reason === undefined
}
