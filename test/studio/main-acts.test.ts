// The main act of each page of the studio, with mouse and keyboard:
//
//   sign in                     an API key is typed
//   /                           the figures arrive by themselves, and one leads to the list that it counts
//   /templates                  a template is created
//   /templates/:id              what is typed is on the printed page, and a save makes a version;
//                               a partial is written, a picture is uploaded, and both are inserted
//   /templates/:id/versions     two versions are compared, and the newer one gets a label
//   /generations                a new document arrives, is found by its name, and is opened
//   /generations/:id            the steps and the pages are read, and the document is rendered with another version
//   /generations/:id/compare    the pages of two documents are compared
//   /deliveries                 a failed webhook is read, and sent again
//   /events                     the events of one stream are found, and one is read
//   /dead-letters               a dead letter is read, and sent again
//   /keys                       an API key is issued and revoked; an owner is created; the webhook secret is shown
//   sign out
//
// The last test fails if a page of the studio has no act. Each act makes what it needs, and begins at the navigation.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { embeddedNatsUrl, readEmbeddedNats, servicesUser } from '@platen/service-kit/host/embedded-nats.ts'
import { connect, headers } from 'nats'
import t, { type Test } from 'tap'
import { drawnAfter, editor, inkOn, settled, templatesOf, typeAtEnd } from './in-editor.ts'
import { startStudio } from './open-studio.ts'

// The compiler would read a module that is named here, and with it all pages, which are compiled for the browser.
const { pages }: { pages: readonly { path: string }[] } = await import(
  new URL('../../studio/src/frame/pages.ts', import.meta.url).href
)

t.setTimeout(600_000)
const resources = new AsyncDisposableStack()
t.teardown(() => resources.disposeAsync())
const studio = resources.use(await startStudio({ DOCS: 'off', RENDER_SLOTS: '1', WEBHOOK_SCHEDULE: '0' }))
const { platen } = studio
const { create, change, stored } = templatesOf(platen)
const { page, problems } = resources.use(await studio.open('/', { key: null }))

/** The pages that have an act. */
const paths = new Set<string>()

function act(path: string, title: string, steps: (t: Test) => Promise<void>): void {
  paths.add(path)
  t.test(`${path}: ${title}`, async (t) => {
    try {
      await steps(t)
    } catch (err) {
      // The next act begins without what is open.
      await page.goto(`${platen.url}/studio/`)
      throw err
    } finally {
      t.same(problems.splice(0), [])
    }
  })
}

const goTo = (name: string) => page.getByRole('navigation', { name: 'Studio' }).getByRole('link', { name }).click()
const row = (name: string) => page.getByRole('table').getByRole('link', { name, exact: true })

async function generate(body: object): Promise<string> {
  return (await platen.json<{ id: string }>('/v1/generate', { body: { async: true, ...body } })).body.id
}
const ended = (id: string) => platen.json<{ status: string }>(`/v1/generations/${id}?wait=60`)

/** A template whose version 2 has another sentence. */
async function createTerms(name: string): Promise<string> {
  const { id } = await create({ name, html: '<h1>Terms</h1><p>Pay in 30 days.</p>' })
  await change(id, { html: '<h1>Terms</h1><p>Pay in 14 days.</p>' })
  return id
}

/** Leaves a message in DEAD_LETTERS, as a service does. */
async function bury(subject: string, message: object): Promise<void> {
  const embedded = await readEmbeddedNats(platen.dataDir)
  const pass = embedded?.passwords.services ?? ''
  const nats = await connect({ servers: embeddedNatsUrl(embedded?.port ?? 0), user: servicesUser, pass })
  const header = headers()
  header.set('Platen-Reason', 'it crashed')
  header.set('Platen-Subject', subject)
  header.set('Platen-Deliveries', '5')
  await nats.jetstream().publish(`dead-letters.${subject}`, JSON.stringify(message), { headers: header })
  await nats.close()
}

t.test('one signs in with an API key', async (t) => {
  await page.keyboard.type(platen.apiKey)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  t.same(problems, [])
  // Before, the studio has asked whether there is a session.
  page.on('response', (response) => {
    // A newer preview of the page has begun: on a slow machine the one before is answered so, and dropped.
    const isOutdated = response.status() === 409 && response.url().endsWith('/v1/preview')
    if (response.status() >= 400 && !isOutdated) problems.push(`${response.status()} ${response.url()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // The studio ends what a page no longer needs.
    if (reason !== 'net::ERR_ABORTED') problems.push(`${reason} ${request.url()}`)
  })
})

act('/', 'figures arrive by themselves, and one leads to the list that it counts', async (t) => {
  const completed = page.locator('.home-figure', { hasText: 'Completed, last hour' })
  await page.getByText('live', { exact: true }).waitFor()
  t.equal(await completed.locator('.home-figure-value').textContent(), '0')
  await ended(await generate({ html: '<p>Counted</p>', file_name: 'counted.pdf' }))
  await completed.locator('.home-figure-value', { hasText: '1' }).waitFor()
  await completed.click()
  await page.waitForURL(/\/generations\?status=completed&since=1h/)
  await row('counted.pdf').waitFor()
})

act('/templates', 'a template is created, and opens in the editor', async (t) => {
  await goTo('Templates')
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  await page.getByRole('button', { name: 'New template' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New template' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Welcome')
  await dialog.getByRole('button', { name: 'Create template' }).click()
  await page.waitForURL(/\/studio\/templates\/tpl_/)
  const [id = ''] = /tpl_\w+/.exec(page.url()) ?? []
  await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
  t.match(await stored(id), { name: 'Welcome', version: 1 })
})

act('/templates/:id', 'what is typed is on the printed page, and is saved with a partial and a picture', async (t) => {
  const { id } = await create({ name: 'Note', html: '<h1>Note</h1>' })
  await goTo('Templates')
  await row('Note').click()
  const first = await drawnAfter(page, 0)
  const ink = await inkOn(page)
  // The editor closes the element.
  await typeAtEnd(page, '<h1>Typed')
  await drawnAfter(page, first)
  await settled(page)
  t.ok((await inkOn(page)) > ink, 'the page has what was typed')
  t.match(await stored(id), { version: 1 })
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'Version 2' }).waitFor()
  t.equal((await stored(id)).html, '<h1>Note</h1><h1>Typed</h1>')
  await page.getByRole('button', { name: 'Partials' }).click()
  await page.getByRole('button', { name: 'New partial' }).click()
  await page.getByRole('dialog', { name: 'New partial' }).getByRole('textbox', { name: 'Name' }).fill('closing')
  await page.keyboard.press('Enter')
  await editor(page, /^Partial closing/).focus()
  await page.keyboard.type('<p>Yours')
  await page.keyboard.press('Control+s')
  await page.getByText('Partial closing, version 1').waitFor()
  await page.getByRole('button', { name: 'Body' }).click()
  await editor(page).focus()
  await page.keyboard.press('Control+End')
  await page.getByRole('button', { name: /^closing version 1/ }).click()
  await page.getByRole('button', { name: 'Assets' }).click()
  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"></svg>')
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer })
  await page.getByRole('button', { name: /^logo.svg/ }).click()
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'Version 3' }).waitFor()
  const { html, partials } = await stored(id)
  t.match(html, /^<h1>Note<\/h1><h1>Typed<\/h1>\{\{> closing\}\}<img src="asset:logo.svg"/)
  t.match(partials, { closing: { version: 1 } })
})

act('/templates/:id/versions', 'two versions are compared, and the newer one gets a label', async (t) => {
  const id = await createTerms('Terms')
  await goTo('Templates')
  await page.getByRole('button', { name: 'Actions of Terms' }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await page.locator('.comparison-figure').getByText('1 of 1 page changed').waitFor()
  await page.getByRole('img', { name: 'Page 1 of version 1' }).waitFor()
  await page.getByRole('img', { name: 'Page 1 of version 2' }).waitFor()
  t.equal(await page.locator('.comparison-box').count(), 2, 'a box on each side')
  await page.getByRole('button', { name: 'Label version 2' }).click()
  await page.getByRole('button', { name: 'Give label' }).click()
  await page.getByText('Version 2 is now “published”').last().waitFor()
  t.match(await stored(id), { labels: { published: 2 } })
})

act('/generations', 'a new document arrives, is found by its name, and is opened', async () => {
  await goTo('Generations')
  await row('counted.pdf').waitFor()
  await ended(await generate({ html: '<p>Found</p>', file_name: 'found.pdf' }))
  await page.getByRole('button', { name: '1 new' }).click()
  await row('found.pdf').waitFor()
  await page.getByRole('searchbox').fill('FOUND')
  await row('counted.pdf').waitFor({ state: 'detached' })
  await row('found.pdf').click()
  await page.getByRole('heading', { level: 1, name: 'found.pdf' }).waitFor()
})

act('/generations/:id', 'its steps and pages are read, and it is rendered with another version', async (t) => {
  const template = await createTerms('Offer')
  const id = await generate({ template, template_version: 1, file_name: 'offer.pdf', retain_input: 1 })
  await ended(id)
  await goTo('Generations')
  await row('offer.pdf').click()
  await page.locator('.page-header').getByText('completed').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Store').waitFor()
  await page.locator('canvas[data-drawn]').waitFor()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('combobox', { name: 'Version of the template' }).selectOption('2')
  await page.getByRole('button', { name: 'Render again' }).click()
  await page.getByRole('link', { name: id }).waitFor()
  await page.locator('.page-header').getByText('completed').waitFor()
  const [again = ''] = /pdf_\w+/.exec(page.url()) ?? []
  t.match((await ended(again)).body, { status: 'completed', retry_of: id, template: { version: 2 } })
})

act('/generations/:id/compare', 'the pages of two documents are compared', async (t) => {
  const template = await createTerms('Contract')
  for (const version of [1, 2])
    await ended(await generate({ template, template_version: version, file_name: `contract-${version}.pdf` }))
  await goTo('Generations')
  await row('contract-1.pdf').click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Compare with another document' }).click()
  await row('contract-2.pdf').click()
  await page.locator('.comparison-figure').getByText('1 of 1 page changed').waitFor()
  await page.getByRole('img', { name: 'Page 1 of version 1' }).waitFor()
  await page.getByRole('img', { name: 'Page 1 of version 2' }).waitFor()
  t.equal(await page.locator('.comparison-box').count(), 2, 'a box on each side')
})

act('/deliveries', 'a failed webhook is read, and sent again', async (t) => {
  const receiver = { isRepaired: false, received: 0 }
  const server = createServer((request, response) => {
    request.resume()
    if (receiver.isRepaired) receiver.received++
    else response.writeHead(500)
    response.end('the orders are closed')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`
  await goTo('Deliveries')
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  const id = await generate({ html: '<p>Order</p>', webhook_url })
  await page.getByRole('table').getByText('HTTP 500').waitFor()
  await page.getByRole('table').locator('.row-link').click()
  const dialog = page.getByRole('dialog', { name: 'Delivery' })
  await dialog.getByRole('link', { name: id }).waitFor()
  await dialog.getByText('the orders are closed').first().waitFor()
  receiver.isRepaired = true
  await dialog.getByRole('button', { name: 'Redeliver' }).click()
  await dialog.getByText('succeeded').first().waitFor()
  t.equal(receiver.received, 1)
  await page.keyboard.press('Escape')
  await page.getByRole('table').getByText('succeeded').waitFor()
})

act('/events', 'the events of one stream are found, and one is read', async (t) => {
  const { id } = await create({ name: 'Recorded', html: '<p>Recorded</p>' })
  await goTo('Events')
  await page.getByRole('button', { name: 'Stream', exact: true }).click()
  await page.getByRole('dialog', { name: 'Stream' }).getByRole('textbox').fill(id)
  await page.keyboard.press('Enter')
  await page.waitForURL(/stream=tpl_/)
  await page.locator('.row-link').nth(1).waitFor({ state: 'detached' })
  t.equal(await page.locator('.row-link').count(), 1)
  await page.locator('.row-link').click()
  const dialog = page.getByRole('dialog', { name: 'TemplateCreated' })
  await dialog.getByRole('figure', { name: 'data' }).getByText('"Recorded"', { exact: true }).waitFor()
  await dialog.getByRole('link', { name: `Template ${id}` }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

act('/dead-letters', 'a dead letter is read, and sent again', async (t) => {
  const { id } = await create({ name: 'Dead', html: '<p>one' })
  await bury(commandSubjects.template(id), {
    type: 'UpdateTemplate',
    data: { template_id: id, owner_id: defaultOwnerId, changes: { html: '<p>two' } },
    metadata: { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') },
  })
  await goTo('Dead letters')
  await row('it crashed').click()
  const letter = page.getByRole('dialog', { name: 'Dead letter', exact: true })
  await letter.getByText('"UpdateTemplate"').waitFor()
  await letter.getByRole('button', { name: 'Retry…' }).click()
  await page.getByRole('button', { name: 'Retry 1 dead letter' }).click()
  await page.getByText('1 dead letter was sent again').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No dead letters' }).waitFor()
  t.match(await stored(id), { version: 2, html: '<p>two' })
})

act('/keys', 'an API key is issued, shown once and revoked', async (t) => {
  const statusFor = async (key: string) =>
    (await platen.request('/v1/templates', { headers: { authorization: `Bearer ${key}` } })).status
  await goTo('Keys')
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('shop')
  await dialog.getByRole('checkbox', { name: 'templates:read' }).check()
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  const key = (await dialog.locator('pre').textContent())?.trim() ?? ''
  t.equal(await statusFor(key), 200)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Actions of shop' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  t.equal(await statusFor(key), 401)
})

act('/keys', 'the webhook secret is shown, and an owner is created', async (t) => {
  await goTo('Keys')
  await page.getByRole('button', { name: 'Webhook secret' }).click()
  await page.getByRole('button', { name: 'Show the secret' }).click()
  t.match(await page.locator('pre').textContent(), /^whsec_/)
  await page.getByRole('button', { name: 'Owners' }).click()
  await page.getByRole('button', { name: 'New owner' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Acme')
  await page.getByRole('button', { name: 'Create owner' }).click()
  await page.getByRole('cell', { name: 'Acme', exact: true }).waitFor()
})

t.test('one signs out', async (t) => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to the studio' }).waitFor()
  t.same(problems, [])
})

t.test('each page of the studio has its main act here', async (t) => {
  t.same(
    [...paths],
    pages.map(({ path }) => path),
  )
})
