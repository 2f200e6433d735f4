import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t from 'tap'
import { look, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio({ WEBHOOK_SCHEDULE: '0,1', RENDER_SLOTS: '1' })
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio

/** It answers 500 until it is repaired. */
const receiver = { isRepaired: false, received: 0 }
const server = createServer((request, response) => {
  request.resume()
  if (!receiver.isRepaired) response.writeHead(500).end('{"error": "relation orders does not exist"}')
  else {
    receiver.received++
    response.end('thanks')
  }
}).listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => server.close())
const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`

async function generate(body: object): Promise<string> {
  const { body: made } = await platen.json<{ id: string }>('/v1/generate', { body: { async: true, ...body } })
  return made.id
}
const stateOf = async (id: string) =>
  (await platen.json<{ status: string }>(`/v1/generations/${id}?wait=30`)).body.status
const row = (page: Page, name: string) => page.getByRole('table').getByRole('link', { name })
/** Occupies the only slot of the renderer. */
const occupyFor = (ms: number) =>
  generate({ html: '<p>Slow</p>', options: { wait_for: { ms }, finish_animations: false } })

t.test('without generations the page has a command that makes one', async (t) => {
  await using opened = await studio.open('/generations')
  const { page, problems } = opened
  await page.getByRole('heading', { name: 'No generations yet' }).waitFor()
  t.match(await page.locator('.state pre').textContent(), /\/v1\/generate/)
  t.same(await look(page, 'generations-empty'), [])
  await page.goto(`${platen.url}/studio/deliveries`)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  t.same(await look(page, 'deliveries-empty'), [])
  await page.goto(`${platen.url}/studio/generations`)
  await page.getByRole('heading', { name: 'No generations yet' }).waitFor()
  await generate({ html: '<h1>First</h1>', file_name: 'first.pdf' })
  await row(page, 'first.pdf').waitFor()
  t.same(problems, [])
})

t.test('a failed webhook is found, its answer read, and it is sent to a receiver that works now', async (t) => {
  const id = await generate({ html: '<h1>Invoice</h1>', file_name: 'invoice-42.pdf', webhook_url })
  await stateOf(id)
  await using opened = await studio.open('/deliveries')
  const { page, problems } = opened
  await page.getByRole('button', { name: 'Exhausted' }).click()
  await page.waitForURL(/status=exhausted/)
  await page
    .getByRole('table')
    .getByText('HTTP 500')
    .first()
    .waitFor({ timeout: 30_000 })
    .catch(() => page.reload())
  t.same(await look(page, 'deliveries'), [])
  await page.getByRole('table').locator('.row-link').first().click()
  const dialog = page.getByRole('dialog', { name: 'Delivery' })
  await dialog.getByText('relation orders does not exist').first().waitFor()
  t.same(await look(page, 'deliveries-one'), [])
  await dialog.getByRole('link', { name: id }).click()
  await page.getByRole('heading', { level: 1, name: 'invoice-42.pdf' }).waitFor()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText('Webhook, attempt 2').waitFor()
  await page.getByText('relation orders does not exist').first().waitFor()
  await page.locator('canvas[data-drawn]').waitFor()
  t.same(await look(page, 'generation-webhook-failed'), [])
  receiver.isRepaired = true
  await page.getByRole('button', { name: 'Redeliver' }).click()
  await page.getByRole('region', { name: 'Webhook' }).getByText('succeeded').waitFor()
  await timeline.getByText('HTTP 200').waitFor()
  t.equal(receiver.received, 1)
  t.same(await look(page, 'generation'), [])
  await page.goBack()
  await page.waitForURL(/delivery=msg_/)
  await page.goBack()
  await page.getByRole('heading', { name: 'No delivery matches the filters' }).waitFor()
  t.same(await look(page, 'deliveries-none'), [])
  t.same(problems, [])
})

t.test('webhooks of an endpoint are counted first, and then sent again', async (t) => {
  receiver.isRepaired = false
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => generate({ html: name, webhook_url })))
  for (const id of ids) await stateOf(id)
  await using opened = await studio.open('/deliveries?status=exhausted')
  const { page, problems } = opened
  const rows = page.getByRole('table').locator('.row-link')
  while ((await rows.count()) < 3) {
    await page.waitForTimeout(1_000)
    await page.reload()
    await page.locator('.page-header').waitFor()
  }
  receiver.isRepaired = true
  await page.getByRole('button', { name: 'Redeliver…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Redeliver webhooks' })
  await dialog.getByText('3 webhooks').first().waitFor()
  t.same(await look(page, 'deliveries-redeliver'), [])
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill('elsewhere.example.com')
  await dialog.getByText('Nothing would be sent').waitFor()
  t.equal(await dialog.getByRole('button', { name: /^Redeliver/ }).isDisabled(), true)
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill('')
  const before = receiver.received
  await dialog.getByRole('button', { name: 'Redeliver 3 webhooks' }).click()
  await page.getByText('3 webhooks are sent again').last().waitFor()
  while (receiver.received < before + 3) await page.waitForTimeout(200)
  t.equal(receiver.received, before + 3)
  t.same(problems, [])
})

t.test('a queued document is cancelled by keyboard alone', async (t) => {
  await occupyFor(25_000)
  const id = await generate({ html: '<h1>Never</h1>', file_name: 'never.pdf' })
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await row(page, 'never.pdf').waitFor()
  await tabTo(page, '.row-link')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'never.pdf' }).waitFor()
  await page.getByText('Waiting in the queue').waitFor()
  t.same(await look(page, 'generation-queued'), [])
  await tabTo(page, '.page-actions button')
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Cancel this document?' })
  await question.waitFor()
  await tabTo(page, '.button.danger')
  await page.keyboard.press('Enter')
  await page.locator('.page-header').getByText('cancelled').waitFor()
  t.equal(await stateOf(id), 'cancelled')
  t.same(problems, [])
})

t.test('a document is followed from the queue to its pages, without a reload', async (t) => {
  await occupyFor(4_000)
  const id = await generate({ html: '<h1>Followed</h1>', file_name: 'followed.pdf' })
  await using opened = await studio.open(`/generations/${id}`)
  const { page, problems } = opened
  await page.getByText('Its pages appear here when it is printed').waitFor()
  await page.locator('canvas[data-drawn]').waitFor({ timeout: 60_000 })
  await page.locator('.page-header').getByText('completed').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Store').waitFor()
  t.same(problems, [])
})

t.test('a failure has its cause and what to do', async (t) => {
  const id = await generate({ html: '<p>{{#each lines}}</p>', data: {}, file_name: 'broken.pdf' })
  t.equal(await stateOf(id), 'failed')
  await using opened = await studio.open('/generations')
  const { page, problems } = opened
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  await row(page, 'broken.pdf').click()
  await page.getByText('What to do:').waitFor()
  await page.getByRole('region', { name: 'Failure' }).getByText('TEMPLATE_SYNTAX_ERROR').waitFor()
  t.same(await look(page, 'generation-failed'), [])
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Trace as JSON' }).click()
  await page.getByRole('dialog', { name: 'Trace' }).getByText(`"${id}"`).waitFor()
  t.same(await look(page, 'generation-trace'), [])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
  await page.getByRole('dialog', { name: 'As curl' }).getByText(`/v1/generations/${id}/retry`).waitFor()
  t.same(await look(page, 'generation-curl'), [])
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.waitForURL(/\/generations\?status=failed$/)
  t.same(problems, [])
})

t.test('filters are part of the address, and new documents are counted before they are shown', async (t) => {
  const { body: template } = await platen.json<{ id: string }>('/v1/templates', {
    body: { name: 'Receipt', html: '<h1>{{name}}</h1>' },
  })
  await stateOf(await generate({ template: template.id, data: { name: 'Ada' }, file_name: 'receipt-1.pdf' }))
  await using opened = await studio.open('/generations')
  const { page, problems } = opened
  await row(page, 'receipt-1.pdf').waitFor()
  t.same(await look(page, 'generations'), [])
  await page.getByRole('button', { name: 'Template', exact: true }).click()
  t.same(await look(page, 'generations-filter'), [])
  await page.getByRole('dialog', { name: 'Template' }).getByRole('button', { name: 'Receipt' }).click()
  await page.waitForURL(new RegExp(`template=${template.id}`))
  await row(page, 'first.pdf').waitFor({ state: 'detached' })
  await page.reload()
  await row(page, 'receipt-1.pdf').waitFor()
  t.equal(await page.locator('.row-link').count(), 1)
  await generate({ template: template.id, data: { name: 'Bob' }, file_name: 'receipt-2.pdf' })
  const arrived = page.getByRole('button', { name: '1 new' })
  await arrived.waitFor()
  t.equal(await page.locator('.row-link').count(), 1, 'the list has not moved')
  t.same(await look(page, 'generations-new'), [])
  await arrived.click()
  await row(page, 'receipt-2.pdf').waitFor()
  t.equal(await page.locator('.row-link').count(), 2)
  await page.getByRole('button', { name: 'Remove the filter Template' }).click()
  await row(page, 'first.pdf').waitFor()
  await page.getByRole('searchbox').fill('nothing-has-this-name')
  await page.getByRole('heading', { name: 'No generation matches the filters' }).waitFor()
  t.same(await look(page, 'generations-none'), [])
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await row(page, 'first.pdf').waitFor()
  t.same(problems, [])
})

t.test('a key with the scope admin sees the generations of all owners, and the page says so', async (t) => {
  const { body: owner } = await platen.json<{ id: string }>('/v1/owners', { body: { name: 'Acme' } })
  await platen.json(`/v1/generate?owner=${owner.id}`, { body: { html: 'x', async: true, file_name: 'of-acme.pdf' } })
  await using opened = await studio.open('/generations')
  const { page, problems } = opened
  await row(page, 'first.pdf').waitFor()
  t.equal(await row(page, 'of-acme.pdf').count(), 0)
  await page.getByRole('checkbox', { name: 'Of all owners' }).check()
  await page.getByRole('heading', { level: 1, name: 'Generations of all owners' }).waitFor()
  await row(page, 'of-acme.pdf').waitFor()
  t.same(await look(page, 'generations-of-all-owners'), [])
  await row(page, 'of-acme.pdf').click()
  await page.waitForURL(new RegExp(`owner=${owner.id}`))
  await page.getByRole('heading', { level: 1, name: 'of-acme.pdf' }).waitFor()
  t.same(problems, [])
})

t.test('Home leads to the webhooks of all owners, and one of another owner is sent again', async (t) => {
  const { body: owner } = await platen.json<{ id: string }>('/v1/owners', { body: { name: 'Webhooks of others' } })
  receiver.isRepaired = false
  const url = `${webhook_url}/of-another-owner`
  await platen.json(`/v1/generate?owner=${owner.id}`, { body: { html: 'x', async: true, webhook_url: url } })
  await using opened = await studio.open('/')
  const { page, problems } = opened
  await page.getByRole('link', { name: /^Webhooks pending/ }).click()
  await page.waitForURL(/\/deliveries\?status=pending&all=owners/)
  await page.getByRole('heading', { level: 1, name: 'Deliveries of all owners' }).waitFor()
  await page.getByRole('button', { name: 'Exhausted' }).click()
  const ofOther = page.getByRole('row', { name: /of-another-owner/ })
  await ofOther.getByRole('cell', { name: 'Webhooks of others' }).waitFor()
  t.same(await look(page, 'deliveries-of-all-owners'), [])
  await ofOther.getByRole('link').click()
  await page.waitForURL(new RegExp(`of=${owner.id}`))
  await page.reload()
  receiver.isRepaired = true
  const dialog = page.getByRole('dialog', { name: 'Delivery' })
  await dialog.getByRole('button', { name: 'Redeliver' }).click()
  await dialog.getByText('succeeded').first().waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/deliveries\?status=exhausted&all=owners$/)
  await page.getByRole('checkbox', { name: 'Of all owners' }).uncheck()
  await page.getByRole('heading', { level: 1, name: 'Deliveries', exact: true }).waitFor()
  t.same(problems, [])
})

t.test('changes of lists and of one document arrive as server-sent events', async (t) => {
  const { body: reader } = await platen.json<{ key: string }>('/v1/keys', {
    body: { name: 'reader', scopes: ['generations:read'] },
  })
  for (const key of [platen.apiKey, reader.key]) {
    const events = key === platen.apiKey ? '/v1/events/follow' : '/v1/status/events'
    await using opened = await studio.open('/generations', { key })
    const { page, problems } = opened
    // It may have come before.
    await page.waitForResponse((response) => response.url().includes(events), { timeout: 5_000 }).catch(() => {})
    await row(page, 'first.pdf').waitFor()
    const listed: number[] = []
    page.on('request', (request) => {
      if (/\/v1\/generations\?/.test(request.url())) listed.push(Date.now())
    })
    await page.waitForTimeout(7_000)
    t.ok(listed.length <= 2, `${listed.length} requests while nothing happens`)
    await occupyFor(2_000)
    const id = await generate({ html: '<h1>Live</h1>', file_name: `live-${events.length}.pdf` })
    await page.getByRole('button', { name: /^\d+ new$/ }).waitFor()
    await stateOf(id)
    t.same(problems, [])
  }
})

t.test('filters are set by keyboard, and each address has its list', async (t) => {
  await using opened = await studio.open('/generations')
  const { page, problems } = opened
  const names = () => page.getByRole('table').locator('.row-link').allTextContents()
  await row(page, 'first.pdf').waitFor()
  await tabTo(page, '.filter:nth-child(3) .filter-button')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Time' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/since=1h/)
  await row(page, 'first.pdf').waitFor()
  await tabTo(page, '.filter:nth-child(3) .filter-button')
  await page.keyboard.press('Enter')
  await page.locator('button:focus', { hasText: 'Last hour' }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${platen.url}/studio/generations?error=TEMPLATE_SYNTAX_ERROR`)
  await row(page, 'broken.pdf').waitFor()
  t.match(await names(), [/^broken\.pdf/])
  await page.goto(`${platen.url}/studio/generations?q=RECEIPT&warnings=no`)
  await row(page, 'receipt-1.pdf').waitFor()
  t.same((await names()).sort(), ['receipt-1.pdf', 'receipt-2.pdf'])
  await page.goto(`${platen.url}/studio/generations?until=2026-01-01T00:00:00Z`)
  await page.getByRole('heading', { name: 'No generation matches the filters' }).waitFor()
  t.same(problems, [])
})

t.test('a document is downloaded, and rendered again if its input is stored', async (t) => {
  const small = await generate({ html: '<h1>Small</h1>', file_name: 'small.pdf' })
  const kept = await generate({ html: '<h1>Kept</h1>', file_name: 'kept.pdf', retain_input: 7 })
  const large = await generate({ html: `<h1>Large</h1><!--${'x'.repeat(700 * 1024)}-->`, file_name: 'large.pdf' })
  for (const id of [small, large, kept]) t.equal(await stateOf(id), 'completed')
  await using opened = await studio.open(`/generations/${small}`)
  const { page, problems } = opened
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  t.equal((await download).suggestedFilename(), 'small.pdf')
  t.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0, 'its input is not stored')
  await page.goto(`${platen.url}/studio/generations/${large}`)
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await page.goto(`${platen.url}/studio/generations/${kept}`)
  await page.getByText('Input kept until').waitFor()
  t.same(await look(page, 'generation-kept'), [])
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('link', { name: kept }).waitFor()
  await page.locator('canvas[data-drawn]').waitFor()
  t.same(await look(page, 'generation-retried'), [])
  t.same(problems, [])
})

t.test('what is slow is said after a moment, and nothing jumps when it is there', async (t) => {
  await using opened = await studio.open('/keys')
  const { page, problems } = opened
  let isSlow = true
  await page.route(/\/v1\/(generations|deliveries)/, async (route) => {
    while (isSlow) await new Promise((resolve) => setTimeout(resolve, 50))
    await route.continue()
  })
  await page.getByRole('link', { name: 'Generations' }).click()
  await page.locator('.placeholder').first().waitFor()
  const top = () => page.evaluate("document.querySelector('.table').getBoundingClientRect().top")
  const before = await top()
  t.same(await look(page, 'generations-loading'), [])
  isSlow = false
  await row(page, 'first.pdf').waitFor()
  t.equal(await top(), before)
  isSlow = true
  await row(page, 'first.pdf').click()
  await page.getByText('Loading…').first().waitFor()
  t.same(await look(page, 'generation-loading'), [])
  isSlow = false
  await page.getByRole('heading', { level: 1, name: 'first.pdf' }).waitFor()
  t.same(problems, [])
})

t.test('content is deleted for good after a question', async (t) => {
  const id = await generate({ html: '<h1>Private</h1>', file_name: 'private.pdf' })
  await stateOf(id)
  await using opened = await studio.open(`/generations/${id}`)
  const { page, problems } = opened
  await page.locator('canvas[data-drawn]').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete content' }).click()
  t.same(await look(page, 'generation-erase'), [])
  await page.getByRole('button', { name: 'Delete content' }).click()
  await page.getByText('were deleted for good').first().waitFor()
  t.equal((await platen.request(`/v1/generations/${id}/file`)).status, 410)
  t.same(await look(page, 'generation-erased'), [])
  t.same(problems, [])
})

t.test('an error names what failed and the request', async (t) => {
  await using opened = await studio.open('/keys')
  const { page } = opened
  const answer = { error: { code: 'SERVICE_UNAVAILABLE', message: 'The event store is away' }, request_id: 'req_1' }
  await page.route(/\/v1\/(generations|deliveries)\?/, (route) => route.fulfill({ status: 503, json: answer }))
  await page.getByRole('link', { name: 'Generations' }).click()
  await page.getByRole('heading', { name: 'Generations could not be loaded' }).waitFor()
  await page.getByText('req_1').waitFor()
  t.same(await look(page, 'generations-error'), [])
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await page.getByRole('heading', { name: 'Deliveries could not be loaded' }).waitFor()
  await page.goto(`${platen.url}/studio/generations/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0`)
  await page.getByRole('heading', { name: 'The generation could not be loaded' }).waitFor()
  t.same(await look(page, 'generation-error'), [])
})
