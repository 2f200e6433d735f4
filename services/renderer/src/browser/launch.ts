import type { Logger } from '@platen/shared/runtime/logger.ts'
import { type Browser, chromium } from 'playwright-core'

export interface LaunchOptions {
  executablePath: string
  sandbox: boolean
  /** The address of the egress proxies: the only one that the browser may connect to. */
  proxyHost: string
  log: Logger
}

export interface RunningBrowser {
  browser: Browser
  version: string
  pid: number
  /** Aborts when the process has gone, however it ended. */
  gone: AbortSignal
  kill(): void
  /** Ends the process: by asking, else by force. Resolves when it has gone. */
  close(): Promise<void>
}

const launchTimeoutMs = 20_000
export const closeTimeoutMs = 2_000

/** Heap of one renderer process, in MiB. */
const documentHeapMb = 256

/** What a browser needs of our environment. The rest (keys, addresses of parts) is none of a document's business. */
const environmentNames = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE']

export async function launchBrowser({
  executablePath,
  sandbox,
  proxyHost,
  log,
}: LaunchOptions): Promise<RunningBrowser> {
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: sandbox,
    timeout: launchTimeoutMs,
    // Ours is the process that decides when it ends.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    env: Object.fromEntries(environmentNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    // Each page brings a proxy of its own; nothing listens on port 9 for whatever belongs to none.
    proxy: { server: `http://${proxyHost}:9`, bypass: '<-loopback>' },
    args: [
      `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${proxyHost}`,
      '--disable-quic',
      '--dns-prefetch-disable',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--block-new-web-contents',
      '--deny-permission-prompts',
      // Hinted glyphs have the widths of a screen, which a printed line does not want.
      '--font-render-hinting=none',
      `--js-flags=--max-old-space-size=${documentHeapMb}`,
    ],
  })
  const gone = new AbortController()
  browser.once('disconnected', () => gone.abort())
  const pid = await processId(browser)
  log.info({ pid, version: browser.version() }, 'browser started')

  const kill = () => {
    if (!gone.signal.aborted) process.kill(pid, 'SIGKILL')
  }
  return {
    browser,
    version: browser.version(),
    pid,
    gone: gone.signal,
    kill,
    async close() {
      const late = setTimeout(kill, closeTimeoutMs)
      await browser.close().catch(() => {})
      clearTimeout(late)
    },
  }
}

/** Playwright knows the process it started, which for Debian's is the shell script around the browser. */
async function processId(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const main = processInfo.find(({ type }) => type === 'browser')
  if (!main) throw new Error('the browser does not tell its process id')
  return main.id
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
