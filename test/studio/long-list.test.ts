import t from 'tap'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(1_200_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())

const total = 100_000

t.test('a hundred thousand generations have few rows in the document, and scroll smoothly', async (t) => {
  await using opened = await studio.open('/keys')
  const { page, problems } = opened
  await page.evaluate(listMany)
  await page.getByRole('link', { name: 'Generations' }).click()
  const row = (index: number) => page.getByRole('table').getByRole('link', { name: `document-${index}.pdf` })
  await row(0).waitFor()
  const measure = async (what: string, step: string) => {
    const frames = ((await page.evaluate(scrollBy(step))) as number[]).toSorted((a, b) => a - b)
    const share = (part: number) => `${frames[Math.floor(frames.length * part)]?.toFixed(1)} ms`
    t.comment(`${what}: ${frames.length} frames, median ${share(0.5)}, p95 ${share(0.95)}, p99 ${share(0.99)}`)
  }
  await measure('to the last row, which loads all pages', 'scroller.scrollTop = scroller.scrollHeight')
  await page.getByText('100,000 in all').waitFor()
  await row(total - 1).waitFor()
  t.ok((await page.locator('tbody tr').count()) < 100)
  await measure('back to the first row, 20,000 px a frame', 'scroller.scrollTop -= 20_000')
  await row(0).waitFor()
  t.same(await look(page, 'generations-many'), [])
  t.same(problems, [])
})

/** Answers for the API by its cursor, in the page: a thousand requests through the driver of the browser would be what is measured. */
const listMany = `{
  const { fetch } = window
  const at = (index) => ({
    id: 'pdf_' + String(${total} - index).padStart(26, '0'), status: 'completed', file_name: 'document-' + index + '.pdf',
    created_at: '2026-01-31T12:00:00.000Z', pages: 2, size: 53_000, duration_ms: 210, warnings: [],
  })
  window.fetch = async (request, init) => {
    const url = new URL(request.url ?? request, location.href)
    if (url.pathname !== '/v1/generations') return fetch(request, init)
    const first = Number(url.searchParams.get('cursor') ?? 0)
    const data = Array.from({ length: 100 }, (_, offset) => at(first + offset))
    const next = first + 100 < ${total} ? { next_cursor: String(first + 100) } : {}
    return new Response(JSON.stringify({ data, ...next }), { headers: { 'content-type': 'application/json' } })
  }
}`

/** Scrolls at each frame until there is nothing more, and resolves with the time of each frame in ms. */
const scrollBy = (step: string) => `new Promise((resolve) => {
  const scroller = document.querySelector('.table-scroller')
  const frames = []
  let before = performance.now()
  const next = (now) => {
    frames.push(now - before)
    before = now
    const top = scroller.scrollTop
    ${step}
    const isLoading = !document.querySelector('.table-foot').textContent.includes('in all')
    if (scroller.scrollTop !== top || isLoading) requestAnimationFrame(next)
    else resolve(frames)
  }
  requestAnimationFrame(next)
})`
