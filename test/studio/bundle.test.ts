import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { bundle, endCompiler, loadedWith } from '../../studio/build/bundle.ts'

const folder = await mkdtemp(join(tmpdir(), 'platen-bundle-'))
t.teardown(() => rm(folder, { recursive: true }))
// The compiler is a process for all bundles.
t.teardown(endCompiler)
const metafile = await bundle(folder)
const studio = join(import.meta.dirname, '../../studio')

/** What is started beside a page. */
const workers = Object.keys(metafile.outputs).filter((file) => /pdf-worker-[^/]*\.js$/.test(file))

/** The scripts and styles of the frame and of a page, compressed. Fonts are not counted: they are kept for a year. */
async function kilobytesOf(page: string): Promise<number> {
  const files = new Set([...loadedWith(metafile, 'src/main.tsx'), ...loadedWith(metafile, page)])
  let bytes = 0
  const isEditor = page.includes('/editor/')
  // Each editor shows a PDF at once.
  const ofPdf = isEditor ? [...workers, ...loadedWith(metafile, 'src/parts/pdf/open-pdf.ts')] : []
  for (const file of ofPdf) files.add(file)
  for (const file of files) bytes += gzipSync(await readFile(join(studio, file)), { level: 9 }).length
  return bytes / 1_000
}

const pages = Object.values(metafile.outputs).flatMap(({ entryPoint = '' }) =>
  entryPoint.startsWith('src/pages/') ? [entryPoint] : [],
)

t.test('a page loads less than 60 kB, and the editor less than 800 kB', async (t) => {
  t.ok(pages.length > 5)
  t.ok(workers.length > 0)
  for (const page of pages) {
    const [size, limit] = [await kilobytesOf(page), /\/(editor|versions)\//.test(page) ? 800 : 60]
    t.comment(`${page}: ${size.toFixed(1)} kB`)
    t.ok(size < limit, `${page} has ${size.toFixed(1)} kB, and may have ${limit}`)
  }
})

t.test('nothing of the studio is loaded from elsewhere, or inline', async (t) => {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  for (const [, url = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g)) t.match(url, /^\/studio\//)
  t.notMatch(page, /<script(?![^>]* src=)|<style| style=| on\w+=/)
})
