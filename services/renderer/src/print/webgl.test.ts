import { readPdf } from '@platen/test-support/read-pdf.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'

const html = `<p></p><script>
  const [flat, solid] = ['2d', 'webgl'].map((kind) => document.createElement('canvas').getContext(kind) !== null)
  document.querySelector('p').textContent = 'flat ' + flat + ', solid ' + solid
</script>`

for (const webgl of [undefined, true]) {
  t.test(`scripts draw on a canvas, and ${webgl ? '' : 'not '}with WebGL`, async (t) => {
    await using printer = await openTestPrinter(webgl === undefined ? {} : { webgl })
    const { pdf } = await printer.printHtml(html)
    t.match(await readPdf(Buffer.from(pdf)), [{ text: `flat true, solid ${webgl === true}` }])
  })
}
