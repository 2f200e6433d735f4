import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { startProgram } from '../machine/start-program.ts'
import { openDevtools, type Session } from './devtools-pipe.ts'

export interface BareChromium extends AsyncDisposable {
  pid: number
  browser: Session
  openPage(options?: PageOptions): Promise<BarePage>
}

export interface PageOptions {
  contextId?: string
  beginFrames?: boolean
}

export interface BarePage {
  session: Session
  frameId: string
  targetId: string
}

const flags = [
  '--remote-debugging-pipe',
  '--headless',
  '--no-first-run',
  '--hide-scrollbars',
  '--mute-audio',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-component-update',
  '--disable-features=Translate,BackForwardCache,AcceptCHFrame,MediaRouter,PaintHolding',
  '--font-render-hinting=none',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** Starts Chromium and talks to it over its DevTools pipe, without a library. */
export async function openBareChromium(path: string, extraFlags: readonly string[] = []): Promise<BareChromium> {
  const profile = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const program = startProgram(path, [...flags, ...extraFlags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [, , , input, output] = program.child.stdio
  const session = openDevtools(input as Writable, output as Readable, program.ended)
  const browser = session()
  await browser.send('Browser.getVersion')
  return {
    pid: program.pid,
    browser,
    async openPage({ contextId, beginFrames = false } = {}) {
      const { targetId } = await browser.send('Target.createTarget', {
        url: 'about:blank',
        width: 794,
        height: 1,
        enableBeginFrameControl: beginFrames,
        ...(contextId !== undefined && { browserContextId: contextId }),
      })
      const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
      const page = session(sessionId)
      const [{ frameTree }] = await Promise.all([
        page.send('Page.getFrameTree'),
        page.send('Page.enable'),
        page.send('Emulation.setEmulatedMedia', { media: 'print' }),
        page.send('Emulation.setDeviceMetricsOverride', { width: 794, height: 1, deviceScaleFactor: 1, mobile: false }),
      ])
      return { session: page, frameId: frameTree.frame.id, targetId }
    },
    async [Symbol.asyncDispose]() {
      browser.send('Browser.close').catch(() => {})
      await program[Symbol.asyncDispose]()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Sets the content and waits for the load. The document refers to nothing outside of it. */
export async function load({ session, frameId }: BarePage, html: string): Promise<void> {
  await Promise.all([session.next('Page.loadEventFired'), session.send('Page.setDocumentContent', { frameId, html })])
}

const a4 = { paperWidth: 210 / 25.4, paperHeight: 297 / 25.4 }
const margin = 10 / 25.4

export async function print(page: BarePage): Promise<{ bytes: number }> {
  return { bytes: (await printPdf(page)).byteLength }
}

/** The PDF comes as Base64 in one message, the fastest way for documents of these sizes. */
export async function printPdf({ session }: BarePage): Promise<Buffer> {
  const { data } = await session.send('Page.printToPDF', {
    ...a4,
    marginTop: margin,
    marginBottom: margin,
    marginLeft: margin,
    marginRight: margin,
    printBackground: true,
    // The default is true and takes 1.6 times as long for an invoice.
    generateTaggedPDF: false,
  })
  return Buffer.from(data, 'base64')
}
