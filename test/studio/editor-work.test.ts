import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { drawnAfter, editor, settled, templatesOf, typeAtEnd, until } from './in-editor.ts'
import { look, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(900_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const { create, change, stored } = templatesOf(platen)
const letterhead = await platen.json('/v1/partials', {
  method: 'POST',
  body: { name: 'letterhead', html: '<header>Lindqvist</header>' },
})
t.equal(letterhead.status, 201)

t.test(
  'two windows on one template: the second to save merges both, and chooses where both have changed a line',
  async (t) => {
    const { id } = await create({ name: 'Shared', html: '<h1>One</h1>\n<p>Two</p>\n', footer_html: 'F' })
    await using opened = await studio.open(`/templates/${id}`)
    const { page, problems } = opened
    await drawnAfter(page, 0)
    await typeAtEnd(page, '<p>Mine</p>')
    await page.getByRole('button', { name: 'Footer' }).click()
    await editor(page, /^Footer/).press('End')
    await page.keyboard.type(' mine')
    await change(id, { html: '<h1>Theirs</h1>\n<p>Two</p>\n', header_html: 'H', footer_html: 'F theirs' })
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Version 2 was saved in the meantime' })
    await dialog.waitFor()
    await dialog.getByText('Theirs', { exact: false }).first().waitFor()
    t.same(await look(page, 'editor-conflict'), [])
    t.same(await dialog.getByRole('button', { name: /^(Body|Header|Footer)/ }).allTextContents(), [
      'Body ',
      'Header ',
      'Footer choose',
    ])
    await dialog.getByRole('button', { name: 'Merge and save' }).click()
    await dialog.getByText('Choose for each place that both have changed', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Mine', exact: true }).click()
    await dialog.getByRole('button', { name: 'Merge and save' }).click()
    await page.getByText('“Shared” is saved').waitFor()
    t.match(await stored(id), {
      version: 3,
      html: '<h1>Theirs</h1>\n<p>Two</p>\n<p>Mine</p>',
      header_html: 'H',
      footer_html: 'F mine',
    })
    t.same(problems, [])
  },
)

t.test('unsaved work survives a reload, and is asked about before one leaves', async (t) => {
  const { id } = await create({ name: 'Kept', html: '<h1>Kept</h1>' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await typeAtEnd(page, '<p>unsaved</p>')
  await page.getByRole('link', { name: 'Keys' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  let asked = 0
  page.on('dialog', (dialog) => {
    asked++
    void dialog.accept()
  })
  await page.reload()
  t.equal(asked, 1)
  const offer = page.getByRole('dialog', { name: 'You have unsaved work' })
  await offer.waitFor()
  t.same(await look(page, 'editor-unsaved'), [])
  await page.waitForTimeout(500)
  await page.reload()
  await offer.waitFor()
  t.equal(asked, 1, 'it is offered until one has decided')
  await offer.getByRole('button', { name: 'Restore' }).click()
  await editor(page).filter({ hasText: '<p>unsaved</p>' }).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  t.match(await stored(id), { html: '<h1>Kept</h1><p>unsaved</p>' })
  await page.reload()
  await drawnAfter(page, 0)
  t.equal(await offer.count(), 0)
  t.same(problems, [])
})

t.test('unsaved work of an earlier version is merged with the newer one', async (t) => {
  const { id } = await create({ name: 'Late', html: '<h1>Late</h1>', header_html: 'old' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await typeAtEnd(page, '<p>mine</p>')
  await change(id, { header_html: 'new' })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('link', { name: 'Version 1' }).waitFor()
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Version 2 was saved in the meantime' })
  await dialog.getByText('You and somebody else have changed different things').waitFor()
  await dialog.getByRole('button', { name: 'Merge and save' }).click()
  await page.getByText('is saved').waitFor()
  t.match(await stored(id), { version: 3, html: '<h1>Late</h1><p>mine</p>', header_html: 'new' })
  t.same(problems, [])
})

t.test('a copied curl command generates the document', async (t) => {
  const { id } = await create({ name: "Ada's note", html: '<h1>{{name}}</h1>', sample_data: { name: "O'Hara" } })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('The command is copied').last().waitFor()
  const command = await page.evaluate<string>('navigator.clipboard.readText()')
  const folder = mkdtempSync(join(tmpdir(), 'platen-curl-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  // Not synchronously: this process may serve.
  await promisify(execFile)('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, API_KEY: platen.apiKey },
  })
  t.match(readFileSync(join(folder, 'ada-s-note.pdf')).subarray(0, 5).toString(), '%PDF-')
  t.same(problems, [])
})

t.test('a preview that fails says why and is tried again; a narrow window shows one pane', async (t) => {
  const { id } = await create({ name: 'Fails', html: '<h1>F</h1>' })
  await using opened = await studio.open('/keys', { width: 768 })
  const { page } = opened
  let isFailing = true
  await page.route('**/v1/preview', (route) =>
    isFailing
      ? route.fulfill({
          status: 500,
          json: { error: { code: 'INTERNAL_ERROR', message: 'It broke' }, request_id: 'req_broken' },
        })
      : route.continue(),
  )
  await page.goto(`${platen.url}/studio/templates/${id}`)
  await editor(page).waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('req_broken').waitFor()
  t.equal(await editor(page).isVisible(), false)
  t.same(await look(page, 'editor-preview-failed'), [])
  isFailing = false
  await page.setViewportSize({ width: 768, height: 800 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await drawnAfter(page, 0)
  t.same(await look(page, 'editor-preview-only'), [])
})

t.test('in a narrow window, F6 shows the pane that it goes to', async (t) => {
  const { id } = await create({ name: 'Narrow', html: '<h1>N</h1>' })
  await using opened = await studio.open(`/templates/${id}`, { width: 768 })
  const { page, problems } = opened
  await editor(page).focus()
  const isAt = (selector: string) => page.locator(`${selector}:focus`).waitFor()
  await page.keyboard.press('F6')
  await isAt('.editor-drawer button')
  await page.keyboard.press('F6')
  await isAt('.editor-sheets')
  t.equal(await editor(page).isVisible(), false)
  await page.keyboard.press('F6')
  await isAt('.editor-code')
  await page.keyboard.type('X')
  t.match(await editor(page).textContent(), 'X')
  t.same(problems, [])
})

t.test('data, helpers and partials are completed, and inserted by a click', async (t) => {
  const { id } = await create({
    name: 'Complete',
    html: '<h1>C</h1>\n',
    sample_data: { customer: { name: 'Ada' }, items: [{ price: 1 }] },
  })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  const options = page.locator('.cm-tooltip-autocomplete [role=option]')
  // A list that has just opened takes no key yet, so that none is taken by accident.
  const accept = async () => {
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
  }
  await typeAtEnd(page, '{{cust')
  await options.filter({ hasText: 'customer.name' }).first().waitFor()
  await page.waitForTimeout(150)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await editor(page).filter({ hasText: '{{customer.name' }).waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' {{#each items}}{{formatC')
  await options.filter({ hasText: 'formatCurrency' }).waitFor()
  await page.locator('.cm-completionInfo').filter({ hasText: 'money' }).waitFor()
  t.same(await look(page, 'editor-completion'), [])
  await accept()
  await page.keyboard.type(' pr')
  await options.filter({ hasText: 'price' }).first().waitFor()
  await accept()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' {{/')
  await options.filter({ hasText: 'each' }).waitFor()
  await accept()
  await page.keyboard.press('Control+End')
  await page.getByRole('button', { name: 'Partials' }).click()
  await page.getByRole('button', { name: /^letterhead/ }).click()
  t.match(await editor(page).textContent(), /\{\{formatCurrency price.*\{\{\/each.*\{\{> letterhead\}\}/s)
  t.same(problems, [])
})

t.test('pictures and fonts are uploaded by a drop, shown, and used by a click', async (t) => {
  const { id } = await create({ name: 'Assets', html: '<h1>A</h1>\n' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>top.ran=1</script><circle cx="4" cy="4" r="4"/></svg>'
  await page.locator('.editor-source').dispatchEvent('drop', {
    dataTransfer: await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(svg)}], 'our logo.svg', { type: 'image/svg+xml' }))
      return transfer
    })()`),
  })
  await page.getByText('our-logo.svg is uploaded').waitFor()
  const asset = page.getByRole('button', { name: /^our-logo.svg/ })
  await until(
    async () => (await asset.locator('img').evaluate((image: { naturalWidth: number }) => image.naturalWidth)) > 0,
  )
  t.same(await look(page, 'editor-assets'), [])
  await editor(page).focus()
  await page.keyboard.press('Control+End')
  await asset.click()
  await settled(page)
  t.match(await editor(page).textContent(), '<img src="asset:our-logo.svg" alt="" style="height: 15mm">')
  t.same(problems, [])
})

t.test('a hostile template runs nothing in the studio', async (t) => {
  const script = 'top.ran=1;self.ran=1;fetch("https://evil.example")'
  const scripts = `<script>${script}</script><svg onload='${script}'></svg>`
  const everywhere = `${scripts}<img src=x onerror='${script}'><svg onload='${script}'></svg><iframe srcdoc="<script>parent.ran=1</script>"></iframe><a href="javascript:${script}">x</a>{{name}}`
  const { id } = await create({
    name: everywhere.slice(0, 190),
    html: everywhere,
    header_html: scripts,
    footer_html: scripts,
    sample_data: { name: everywhere, [everywhere.slice(0, 60)]: everywhere },
    samples: { '<img src=x onerror=top.ran=1>': { name: everywhere } },
    data_schema: {
      title: everywhere,
      description: everywhere,
      properties: { name: { type: 'string', title: everywhere } },
    },
  })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  for (const tab of ['', 'header', 'footer', 'data', 'data&as=form', 'options', 'schema']) {
    await page.goto(`${platen.url}/studio/templates/${id}?tab=${tab}`)
    await page.locator('.editor-pane').first().waitFor()
    await page.waitForTimeout(300)
    t.equal(await page.evaluate('globalThis.ran'), undefined, tab)
  }
  t.same(
    problems.filter((problem) => !problem.includes('evil.example')),
    [],
  )
  t.same(problems, [], 'nothing was requested')
})

t.test('a key that may only read sees the sources and cannot change them', async (t) => {
  const { id } = await create({ name: 'Read', html: '<h1>R</h1>' })
  const { key } = await platen
    .json<{ key: string }>('/v1/keys', {
      method: 'POST',
      body: { name: 'reader', scopes: ['templates:read'] },
    })
    .then(({ body }) => body)
  await using opened = await studio.open(`/templates/${id}`, { key })
  const { page, problems } = opened
  await page.getByText('read-only').waitFor()
  await page.getByText('It needs the scope generate').waitFor()
  t.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  await editor(page).focus()
  await page.keyboard.type('X')
  t.equal(await editor(page).textContent(), '<h1>R</h1>')
  t.same(await look(page, 'editor-read-only'), [])
  t.same(problems, [])
})

t.test('by keyboard alone: between the panes, out of the editor, and to what is not there', async (t) => {
  const { id } = await create({ name: 'Keys', html: '<h1>K</h1>' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  const at = () => page.evaluate('document.activeElement.className')
  await page.locator('h1').focus()
  await page.keyboard.press('F6')
  t.match(await at(), 'editor-code')
  await page.keyboard.type('gt')
  t.match(await editor(page).textContent(), 'gt', 'no shortcut while one types')
  await page.keyboard.press('F6')
  t.match(await at(), /button/)
  await page.keyboard.press('F6')
  t.match(await at(), 'editor-sheets')
  await page.keyboard.press('F6')
  t.match(await at(), 'editor-code')
  // The first one closes what is completed.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  t.notMatch(await at(), 'editor-code')
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  const widthOfPage = async () => (await page.locator('.editor-sheets .paper').first().boundingBox())?.width ?? 0
  const fitting = await widthOfPage()
  await tabTo(page, '[aria-label="Zoom in"]')
  await page.keyboard.press('Enter')
  await page.waitForURL(/zoom=\d+/)
  const larger = await widthOfPage()
  t.ok(larger > fitting && larger < 1.5 * fitting, 'one step larger than it was')
  await page.goto(`${platen.url}/studio/templates/tpl_00000000000000000000000000`)
  await page.getByRole('heading', { name: 'There is no such template' }).waitFor()
  t.same(await look(page, 'editor-not-found'), [])
  t.same(problems, [])
})
