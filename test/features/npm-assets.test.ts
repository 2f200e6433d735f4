import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runCli } from '../../cli/src/testing/run-cli.ts'
import { collectionOf } from '../support/asset-files.ts'
import { generate, print as printed } from '../support/print.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

t.setTimeout(600_000)

// Packages are used as npm ships them, without a rewrite and without a network.
const platen = await ownerOfSharedPlaten()
const modules = join(import.meta.dirname, '../../node_modules')
const root = (name: string) => join(modules, name)
const env = { PLATEN_URL: platen.url, API_KEY: platen.apiKey, DATA_DIR: '/nonexistent' }
const push = (folder: string, into: string) => runCli(env, ['assets', 'push', folder, '--into', into])

const print = (html: string, options: object = {}) =>
  printed(platen, { html, options: { ...options, fail_on: ['RESOURCE_FAILED', 'CONSOLE_ERROR'] } })

t.test('a folder is pushed once, and names what cannot be an asset', async (t) => {
  const folder = join(root('@fontsource/lora'))
  const first = await push(folder, '@fontsource/lora')
  t.match(first, {
    code: 0,
    stdout: /@fontsource\/lora\/400\.css {2}created/,
    stderr: /created, 0 updated, 0 unchanged/,
  })
  t.notMatch(first.stdout, /README|LICENSE|package\.json/)
  t.match(await push(folder, '@fontsource/lora'), { code: 0, stdout: '', stderr: /0 created, 0 updated/ })
  const own = t.testdir({ 'a b.css': 'a{}' })
  t.match(await push(own, 'x'), { code: 1, stderr: /a b\.css cannot be the name of an asset\. Nothing was sent/ })
  t.match(await push(t.testdir({ 'a.txt': '' }), 'x'), { code: 1, stderr: /no file that can be an asset/ })
  t.match(await push(join(own, 'none'), 'x'), { code: 1, stderr: /there is no folder/ })
})

t.test('a @fontsource font is found beside its style sheet', async (t) => {
  const [page] = await print(
    '<link rel=stylesheet href="asset:@fontsource/lora/400.css"><p style="font-family: Lora">Lora text',
  )
  t.match(page?.fonts.join(), 'Lora')
})

t.test('KaTeX sets formulas with its own fonts, by its script and by its module', async (t) => {
  t.match(await push(join(root('katex'), 'dist'), 'katex'), { code: 0 })
  const formula = String.raw`c = \\pm\\sqrt{a^2 + b^2}`
  for (const script of [
    `<script src="asset:katex/katex.min.js"></script><script>katex.render('${formula}', document.body)</script>`,
    `<link id=module rel=modulepreload href="asset:katex/katex.mjs"><script type=module>
      const { default: katex } = await import(document.getElementById('module').href)
      katex.render('${formula}', document.body)
    </script>`,
  ]) {
    const html = `<!DOCTYPE html><link rel=stylesheet href="asset:katex/katex.min.css"><body>${script}`
    const [page] = await print(html)
    t.match(page?.fonts.join(), /KaTeX_Main-Regular.*KaTeX_Math-Italic|KaTeX_Math-Italic.*KaTeX_Main-Regular/)
  }
})

t.test('Chart.js draws from an asset, with its integrity checked', async (t) => {
  t.match(await push(join(root('chart.js'), 'dist'), 'chart.js'), { code: 0 })
  const { body: asset } = await platen.json<{ sha256: string }>('/v1/assets/chart.js/chart.umd.min.js')
  const draw = (integrity: string) =>
    print(`<canvas id=c width=300 height=150></canvas><script src="asset:chart.js/chart.umd.min.js" integrity="sha256-${integrity}"></script>
      <script>new Chart(c, { type: 'bar', data: { labels: ['a'], datasets: [{ data: [1] }] }, options: { animation: false } })</script>`)
  const [page] = await draw(Buffer.from(asset.sha256, 'hex').toString('base64'))
  t.equal(page?.images, 1)
  await t.rejects(draw(Buffer.alloc(32).toString('base64')), 'another hash')
})

t.test('Bootstrap, Bulma and tufte-css are used as they are', async (t) => {
  t.match(await push(join(root('bootstrap'), 'dist/css'), 'bootstrap/css'), { code: 0 })
  t.match(await push(join(root('bulma'), 'css'), 'bulma'), { code: 0 })
  t.match(await push(root('tufte-css'), 'tufte-css'), { code: 0 })
  const styled = async (sheet: string, body: string) => {
    const [page] = await print(`<!DOCTYPE html><link rel=stylesheet href="asset:${sheet}"><body>${body}`, {
      print_background: true,
    })
    return page
  }
  t.match((await styled('bootstrap/css/bootstrap.min.css', '<p class="bg-primary">x'))?.fills.join(), '#0d6efd')
  const bulma = await styled('bulma/bulma.css', '<h1 class="title">x')
  t.ok((bulma?.text ?? '').includes('x'))
  t.match((await styled('tufte-css/tufte.css', '<article><p>Text'))?.fonts.join(), /et-book|ETBembo|ETBook/i)
})

async function put(name: string, body: string) {
  const headers = { authorization: `Bearer ${platen.apiKey}`, 'content-type': 'application/octet-stream' }
  const { status } = await fetch(`${platen.url}/v1/assets/${name}`, { method: 'PUT', headers, body })
  t.ok(status === 200 || status === 201, `${name}: ${status}`)
}

t.test('a template keeps the script and the modules that it was saved with', async (t) => {
  await put('app/word.js', "export const word = 'first'")
  await put('app/main.js', "import { word } from './word.js'; document.body.append(word)")
  const html = '<body><script type=module src="asset:app/main.js"></script>'
  const { body } = await platen.json<{ assets: object }>('/v1/templates', { body: { name: 'Modules', html } })
  t.same(Object.keys(body.assets), ['app/main.js', 'app/word.js'])
  await put('app/word.js', "export const word = 'second'")
  t.equal((await printed(platen, { template: 'modules' }))[0]?.text, 'first')
  t.equal((await printed(platen, { html }))[0]?.text, 'second')
})

t.test('a header says that its script does not run', async (t) => {
  const header_html = '<script src="asset:app/main.js"></script><b>Head</b>'
  const { generation } = await generate(platen, { html: '<p>x', options: { header_html, margin: { top: 30 } } })
  t.match(generation.warnings, [{ code: 'RESOURCE_FAILED', message: /asset:app\/main\.js: Chromium runs no scripts/ }])
})

t.test('of a collection the first font is used, whatever the fragment says', async (t) => {
  const folder = join(modules, 'pdfjs-dist/standard_fonts')
  const fonts = ['LiberationSans-Bold.ttf', 'LiberationSans-Italic.ttf'].map((name) => readFileSync(join(folder, name)))
  const own = t.testdir({})
  writeFileSync(join(own, 'both.ttc'), collectionOf(fonts))
  t.match(await push(own, 'fonts'), { code: 0 })
  const fontsOf = async (fragment: string) => {
    const face = `@font-face { font-family: Both; src: url(asset:fonts/both.ttc${fragment}) format("collection") }`
    return (await print(`<style>${face}</style><p style="font-family: Both">x`))[0]?.fonts.join()
  }
  t.match(await fontsOf(''), 'Bold')
  t.match(await fontsOf('#LiberationSans-Italic'), 'Bold')
})
