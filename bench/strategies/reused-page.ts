import type { BenchDocument } from '../documents/document.ts'
import { type BareChromium, type BarePage, load, openBareChromium, print } from './bare-chromium.ts'
import type { Strategy } from './strategy.ts'

const beginFrameFlags = ['--enable-begin-frame-control', '--run-all-compositor-stages-before-draw']

export interface BareOptions {
  chromiumPath: string
  maxConcurrency: number
}

/** A script cannot declare names that an earlier document on the same page declared, and would not run. */
export const withoutScript = ({ scripted }: BenchDocument) => !scripted

/** (a) The lower bound: only printing is measured, with the content already loaded. */
export async function openPrintOnly({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const chromium = await openBareChromium(chromiumPath)
  const pages = await openPages(chromium, maxConcurrency)
  return {
    id: 'a',
    name: 'print only, content loaded',
    isolated: false,
    inProcess: true,
    accepts: withoutScript,
    concurrency: [1, maxConcurrency],
    roots: () => [chromium.pid],
    async prepare({ html }) {
      for (const page of pages) await load(page, html)
    },
    render: (_, worker) => print(pageOf(pages, worker)),
    [Symbol.asyncDispose]: () => chromium[Symbol.asyncDispose](),
  }
}

/** (b) The fastest that Chromium can be: reused pages, no scripts, no painting to a screen. */
export async function openReusedPage({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const { chromium, pages } = await openReusedPages({ chromiumPath, maxConcurrency })
  return {
    id: 'b',
    name: 'bare reused page',
    isolated: false,
    inProcess: true,
    accepts: withoutScript,
    concurrency: [1, maxConcurrency],
    roots: () => [chromium.pid],
    async render({ html }, worker) {
      const page = pageOf(pages, worker)
      await load(page, html)
      return print(page)
    },
    [Symbol.asyncDispose]: () => chromium[Symbol.asyncDispose](),
  }
}

/** A browser with reused pages: no scripts, no painting to a screen. */
export async function openReusedPages({ chromiumPath, maxConcurrency }: BareOptions) {
  const chromium = await openBareChromium(chromiumPath, beginFrameFlags)
  const pages = await openPages(chromium, maxConcurrency, true)
  await Promise.all(pages.map(({ session }) => session.send('Emulation.setScriptExecutionDisabled', { value: true })))
  return { chromium, pages }
}

function openPages(chromium: BareChromium, count: number, beginFrames = false): Promise<BarePage[]> {
  return Promise.all(Array.from({ length: count }, () => chromium.openPage({ beginFrames })))
}

function pageOf(pages: readonly BarePage[], worker: number): BarePage {
  const page = pages[worker]
  if (!page) throw new RangeError(`no page for worker ${worker}`)
  return page
}
