import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Platen, startPlaten } from '../support/platen.ts'

/** A running Platen and a browser that looks at its studio. */
export interface Studio extends StudioBrowser {
  platen: Platen
}

/** A browser that looks at the studio of a gateway. */
export interface StudioBrowser extends AsyncDisposable {
  browser: Browser
  /** Opens a path below `/studio` in a window of its own, signed in with the key. Default: the key of the server. */
  open(path: string, options?: WindowOptions): Promise<StudioWindow>
}

export interface WindowOptions {
  /** `null`: not signed in. */
  key?: string | null
  width?: number
  colorScheme?: 'light' | 'dark'
}

export interface StudioWindow extends AsyncDisposable {
  page: Page
  /** What a page must not do: errors in the console, violations of the policy, requests of other servers. To be found empty. */
  problems: string[]
}

/** No busy machine takes that long. */
const patienceMs = 120_000
const limits = { SYNC_TIMEOUT_MS: `${patienceMs}`, RENDER_TIMEOUT_MS: `${patienceMs}` }

/** The environment is that of `startPlaten`. */
export async function startStudio(env: Record<string, string> = {}): Promise<Studio> {
  await using resources = new AsyncDisposableStack()
  const platen = resources.use(await startPlaten({ ...limits, ...env }))
  const opened = resources.use(await startBrowser(platen))
  const running = resources.move()
  return { ...opened, platen, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export async function startBrowser({ url, apiKey }: Pick<Platen, 'url' | 'apiKey'>): Promise<StudioBrowser> {
  const browser = await chromium.launch({
    executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
    chromiumSandbox: false,
  })
  return {
    browser,
    open: (path, options = {}) => openWindow({ browser, url, path, key: apiKey, ...options }),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

interface Opened extends WindowOptions {
  browser: Browser
  url: string
  path: string
}

async function openWindow({
  browser,
  url,
  path,
  key,
  width = 1280,
  colorScheme = 'light',
}: Opened): Promise<StudioWindow> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) problems.push(request.url())
  })
  page.on('console', (message) => {
    // The browser logs each response that is an error. What the studio makes of it is another matter.
    const isResponse = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isResponse) problems.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
  const fragment = key === null || key === undefined ? '' : `#key=${key}`
  await page.goto(`${url}/studio${path}${fragment}`)
  await page.locator(key === null ? '.sign-in' : '.page-header').waitFor()
  return { page, problems, [Symbol.asyncDispose]: () => context.close() }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
}

/** Every violation of the rules of axe, WCAG 2.2 AA included. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations } = await page.evaluate(
    (values) => (globalThis as unknown as { axe: Axe }).axe.run({ runOnly: { type: 'tag', values } }),
    tags,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}

/** The pictures of pages, which a person looks at. */
const pictures = join(import.meta.dirname, '../../out/studio')

/**
 * Looks at what is shown in light and dark, at 1280 and 768 px: writes `out/studio/<name>-<width>-<colours>.png`, and returns what
 * axe finds, and whether something is wider than the window.
 */
export async function look(page: Page, name: string): Promise<string[]> {
  mkdirSync(pictures, { recursive: true })
  const found: string[] = []
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      // A change of colours that is under way would be in the picture.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const what = `${name}-${width}-${colorScheme}`
      await page.screenshot({ path: join(pictures, `${what}.png`) })
      found.push(...(await violationsOn(page)).map((violation) => `${what}: ${violation}`))
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${what}: too wide`)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
  return found
}

/** Presses Tab until the element has the focus, as one does who has no mouse. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (
      await page.evaluate((wanted) => (globalThis as unknown as Dom).document.activeElement?.matches(wanted), selector)
    )
      return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${selector}`)
}

/** Opens the menu of a button by keyboard. Its first act has the focus. */
export async function openMenu(page: Page, label: string): Promise<void> {
  await tabTo(page, `[aria-label="${label}"]`)
  await page.keyboard.press('Enter')
  await page.locator('[role=menuitem]:focus').waitFor()
}

interface Dom {
  document: { activeElement: { matches(selector: string): boolean } | null }
}
