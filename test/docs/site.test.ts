import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { until } from '@platen/test-support/until.ts'
import { chromium, type Page } from 'playwright-core'
import t from 'tap'
import { root } from './code-blocks.ts'

t.setTimeout(1_800_000)

const siteFolder = join(root, 'out/site')
// The limit is that of deploy/single-node/src/build-site.ts.
const builder = ['--max-old-space-size=400', join(root, 'site/src/main.ts'), siteFolder]
const isPart = (name: string) => name.startsWith('part-')

// Starts a build that is killed, and then one that is quick if nothing has changed since the last `npm run docs`.
mkdirSync(siteFolder, { recursive: true })
const before = new Set(readdirSync(siteFolder))
const killed = spawn(process.execPath, builder, { stdio: 'ignore' })
await until(() => readdirSync(siteFolder).find((name) => isPart(name) && !before.has(name)), 'the build does not begin')
killed.kill('SIGKILL')
await once(killed, 'close')
const left = readdirSync(siteFolder).filter(isPart)
await promisify(execFile)(process.execPath, builder)
const listed = JSON.parse(readFileSync(join(siteFolder, 'current/site.json'), 'utf8'))
const files = Object.keys(listed.files)
const pages = files.filter((name) => name.endsWith('.html') && name !== '404.html')
const urlOf = (file: string) => `/docs/${file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`

const gateway = await startTestGateway({ siteFolder })
t.teardown(() => gateway[Symbol.asyncDispose]())
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, gateway.url), { headers, redirect: 'manual' })

const browser = await chromium.launch({
  executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
  chromiumSandbox: false,
})
t.teardown(() => browser.close())

/** A page of a browser, and what it did that it must not do: requests of other machines, errors, violations of its policy. */
async function newPage(options: { width: number; colorScheme: 'light' | 'dark' }) {
  const { width, colorScheme } = options
  // Otherwise axe would see colours that are on their way to others.
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  // On a busy machine a page takes longer than the half minute of Playwright.
  page.setDefaultTimeout(120_000)
  const problems: string[] = []
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(gateway.url)) problems.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
  return { page, problems, [Symbol.asyncDispose]: () => context.close() }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}

/** Slow rules that report nothing serious. */
const minor = { region: { enabled: false }, 'landmark-unique': { enabled: false } }

/** Serious and critical violations of accessibility. The contrast of colours takes most of the time. */
async function violationsOn(page: Page, { withColors }: { withColors: boolean }): Promise<string[]> {
  const rules = { ...minor, 'color-contrast': { enabled: withColors } }
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: Axe }).axe.run(options),
    // Without media to look into, the sheets of styles are not to be loaded again.
    { rules, resultTypes: ['violations'], preload: false },
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** The script of the site gives its buttons names. */
async function untilScriptHasRun(page: Page): Promise<void> {
  const unnamed = page.locator('.VPSwitchAppearance[title=""]')
  await until(async () => (await unnamed.count()) === 0 || undefined, 'the script of the site has not run')
}

/** Removes the bar and the list of pages, which are the same on every page. */
const removeNavigation = (page: Page) =>
  page.locator('.VPNavBar > *, .VPSidebar nav > *').evaluateAll((elements) => {
    for (const element of elements) (element as unknown as { remove(): void }).remove()
  })

/** What is wider than the window. */
const overflowOf = (page: Page) =>
  page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the types of Node have no document
    const { documentElement } = (globalThis as any).document
    return documentElement.scrollWidth - documentElement.clientWidth
  })

/** The names of elements and classes of a page. Each page has a class of its own. */
function kindsOf(file: string): Set<string> {
  const html = readFileSync(join(siteFolder, 'current', file), 'utf8')
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '))
  const elements = [...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, name = '']) => name)
  return new Set([...elements, ...classes.filter((name) => !name.startsWith('_docs_'))])
}

/** A few pages that together have every kind of element: each time the page with the most new ones. */
function pagesOfAllKinds(): Set<string> {
  const chosen = new Set<string>()
  const kinds = new Map(pages.map((file) => [file, kindsOf(file)]))
  for (;;) {
    const [file, news] = [...kinds].reduce((most, one) => (one[1].size > most[1].size ? one : most))
    if (news.size === 0) return chosen
    chosen.add(file)
    for (const [other, names] of kinds) kinds.set(other, new Set([...names].filter((name) => !news.has(name))))
  }
}

t.test('every page fits a window of 375 and one of 1440 px, and keeps the rules of axe', async (t) => {
  t.ok(pages.length > 100)
  const ofAllKinds = pagesOfAllKinds()
  t.comment(`${ofAllKinds.size} of ${pages.length} pages have every kind of element`)
  // The text of other pages is the same without the script of the site, which takes longer than the page.
  const check = async (files: readonly string[], { isWhole }: { isWhole: boolean }) => {
    await using opened = await newPage({ width: 1440, colorScheme: 'light' })
    const { page, problems } = opened
    const noScript = { body: '', contentType: 'text/javascript' }
    if (!isWhole) await page.route('**/*.js', (route) => route.fulfill(noScript))
    for (const file of files) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(gateway.url + urlOf(file))
      if (isWhole) await untilScriptHasRun(page)
      await page.evaluate(axe)
      t.equal(await overflowOf(page), 0, `${file} at 1440 px`)
      if (isWhole) t.strictSame(await violationsOn(page, { withColors: true }), [], `${file}: axe, in light colours`)
      await page.setViewportSize({ width: 375, height: 700 })
      t.equal(await overflowOf(page), 0, `${file} at 375 px`)
      if (isWhole) {
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.locator('html.dark').waitFor()
        t.strictSame(await violationsOn(page, { withColors: true }), [], `${file}: axe, in dark colours at 375 px`)
        await page.emulateMedia({ colorScheme: 'light' })
      } else {
        await removeNavigation(page)
        t.strictSame(await violationsOn(page, { withColors: false }), [], `${file}: axe`)
      }
    }
    t.strictSame(problems, [], 'no errors, and no requests of other servers')
  }
  const others = pages.filter((file) => !ofAllKinds.has(file))
  await Promise.all([check([...ofAllKinds], { isWhole: true }), check(others, { isWhole: false })])
})

t.test('every link leads to a page and its heading, and every picture is shown', async (t) => {
  const texts = new Map<string, string>()
  const textOf = async (url: string) => {
    if (!texts.has(url)) {
      const response = await open(url)
      texts.set(url, response.ok ? await response.text() : `${response.status}`)
    }
    return texts.get(url) ?? ''
  }
  let count = 0
  const checked = new Set<string>()
  for (const file of pages) {
    const page = await textOf(urlOf(file))
    for (const [, target = ''] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(target, gateway.url + urlOf(file))
      if (origin !== gateway.url) continue
      count++
      if (checked.has(pathname + hash)) continue
      checked.add(pathname + hash)
      const text = await textOf(pathname)
      if (/^\d{3}$/.test(text) || (hash && !text.includes(`id="${decodeURIComponent(hash.slice(1))}"`)))
        t.fail(`${file}: ${target} leads nowhere`)
    }
  }
  t.ok(count > 3_000, `${count} links`)
})

t.test('the search finds words, and follows without a request of another server', async (t) => {
  await using opened = await newPage({ width: 1440, colorScheme: 'light' })
  const { page, problems } = opened
  await page.goto(`${gateway.url}/docs/`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('input[type=search]').fill('watermark')
  await page.locator('a.result[href^="/docs/guides/watermark"]').first().click()
  await page.waitForURL('**/docs/guides/watermark**')
  await page.getByRole('heading', { level: 1, name: 'A watermark' }).waitFor()
  t.strictSame(problems, [])
})

t.test('the search shows a guide before what explains it', async (t) => {
  await using opened = await newPage({ width: 1440, colorScheme: 'light' })
  const { page, problems } = opened
  await page.goto(`${gateway.url}/docs/`)
  await page.getByRole('button', { name: 'Search' }).click()
  const results = page.locator('a.result')
  for (const [words, expected] of Object.entries({
    'webhook retries': 'guides/webhooks',
    'cancel generation': 'guides/asynchronous',
    'dead letter': 'operate/',
    'cors browser': 'guides/web-page',
    deduplicate: 'guides/subscribe',
    'why event sourcing': 'understand/decisions',
    'webhook backlog': 'operate/runbooks/PlatenWebhooksAreLate',
    'many documents fail': 'operate/runbooks/PlatenGenerationsFail',
    'liveness readiness': 'operate/metrics',
    'ports firewall': 'operate/one-machine',
    'password encrypt pdf': 'guides/pdf-tools',
    'PDF/A': 'guides/pdf-standards',
    zugferd: 'guides/pdf-standards',
    'load image from internet': 'guides/resources',
    'queued event': 'reference/events',
  })) {
    await page.locator('input[type=search]').fill('')
    await until(async () => (await results.count()) === 0 || undefined, 'the results of no words are shown')
    await page.locator('input[type=search]').fill(words)
    const first = () => results.evaluateAll((links) => links.slice(0, 3).map((link) => link.getAttribute('href') ?? ''))
    await until(
      async () => (await first()).some((link) => link.startsWith(`/docs/${expected}`)) || undefined,
      async () => `${words}: ${await first()}`,
    )
  }
  t.strictSame(problems, [])
})

t.test('a reader changes to dark', async (t) => {
  await using opened = await newPage({ width: 1440, colorScheme: 'light' })
  const { page, problems } = opened
  await page.goto(`${gateway.url}/docs/`)
  await page.getByRole('switch', { name: /dark/i }).first().click()
  await page.locator('html.dark').waitFor()
  await page.reload()
  await page.locator('html.dark').waitFor()
  t.strictSame(problems, [])
})

t.test('a build that was killed leaves nothing behind after the next one', async (t) => {
  t.equal(left.length, 1)
  t.same(readdirSync(siteFolder).sort(), [readlinkSync(join(siteFolder, 'current')), 'current'].sort())
})

t.test('pages are asked for again, and what has a hash in its name is not', async (t) => {
  const page = await open('/docs/guides/paper')
  t.match(page.headers.get('cache-control'), 'no-cache')
  t.match(page.headers.get('content-security-policy'), /default-src 'none'; script-src 'self' 'sha256-/)
  t.notMatch(page.headers.get('content-security-policy'), 'unsafe')
  const tag = page.headers.get('etag') ?? ''
  t.equal((await open('/docs/guides/paper', { 'if-none-match': tag })).status, 304)
  const [script = ''] = files.filter((name) => /^assets\/app\..+\.js$/.test(name))
  t.match((await open(`/docs/${script}`)).headers.get('cache-control'), 'immutable')
  const first = await open('/docs')
  t.match([first.status, first.headers.get('location')], [302, '/docs/'])
})

t.test('what the site does not have is a 404: a page for browsers', async (t) => {
  for (const path of ['nothing', 'guides/nothing', '..%2fcurrent', '..%2f..%2fpackage.json', 'site.json/x']) {
    const found = await open(`/docs/${path}`, { accept: 'text/html' })
    t.match([found.status, found.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
    t.equal((await open(`/docs/${path}`)).status, 404, path)
  }
})

t.test('before it is built, every page says so, and the API reference is there', async (t) => {
  const another = await gateway.startAnother({ siteFolder: join(gateway.dataDir, 'nothing') })
  t.teardown(() => another[Symbol.asyncDispose]())
  for (const path of ['/docs/', '/docs/guides/paper']) {
    const page = await fetch(another.url + path)
    t.match([page.status, await page.text()], [200, /The documentation is not built yet/], path)
  }
  t.equal((await fetch(`${another.url}/docs/api`)).status, 200)
})

t.test('DOCS=off leaves the OpenAPI document', async (t) => {
  const another = await gateway.startAnother({ docs: 'off' })
  t.teardown(() => another[Symbol.asyncDispose]())
  for (const path of ['/docs', '/docs/', '/docs/guides/paper', '/docs/api', '/docs/events']) {
    t.equal((await fetch(another.url + path)).status, 404, path)
  }
  t.match((await fetch(another.url)).url, /\/openapi\.json$/)
})
