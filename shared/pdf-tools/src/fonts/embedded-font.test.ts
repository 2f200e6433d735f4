import { existsSync, readFileSync } from 'node:fs'
import type { OutputSteps } from '@platen/domain/document/output-options.ts'
import t from 'tap'
import { runTask } from '../run/run-task.ts'
import type { PdfToolFailed } from '../task/pdf-tool-failed.ts'
import type { FontFile, PdfBounds } from '../task/task.ts'
import { judged, missing } from '../testing/judges.ts'
import { opened } from '../testing/outline-of.ts'
import { samplePdf } from '../testing/sample-pdf.ts'

const bounds: PdfBounds = { timeoutMs: 30_000, memoryMb: 512, maxPages: 1_000, maxBytes: 50 * 2 ** 20 }
const files = {
  latin: '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf',
  japanese: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  arabic: '/usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf',
  hindi: '/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf',
}
const skip = Object.values(files).find((file) => !existsSync(file)) ?? false
const fontOf = (name: keyof typeof files): FontFile => ({ name, bytes: readFileSync(files[name]), index: 0 })

async function stamped(text: string, fonts: FontFile[], more: OutputSteps = {}): Promise<Uint8Array> {
  const steps = { stamps: [{ text, font_size: 20 }], ...more }
  const sources = [{ bytes: await samplePdf({ pages: 1 }) }]
  const { files } = await runTask({ sources, files: {}, operation: { operation: 'steps' }, steps, fonts }, bounds)
  return files[0]?.bytes ?? new Uint8Array()
}

const texts: [keyof typeof files, string, RegExp][] = [
  ['latin', 'Ďakujem Ωμέγα Привет ﬁ AVAV', /Ďakujem Ωμέγα Привет (ﬁ|fi) AVAV/],
  ['japanese', '社外秘 機密', /社外秘 機密/],
  ['arabic', 'فاتورة', /فاتورة|ةروتاف/],
  ['hindi', 'हिन्दी', /ह/],
]
for (const [name, text, wanted] of texts) {
  t.test(
    `a text in the font ${name} is in the file, and can be read`,
    { skip: skip || missing('pdftotext') },
    async (t) => {
      const pdf = await stamped(text, [fontOf(name)])
      t.match(judged('pdftotext', ['FILE', '-'], pdf).output.normalize('NFKC'), wanted)
      t.match(judged('qpdf', ['--check', 'FILE'], pdf), { status: 0 })
      t.ok(pdf.byteLength < 150_000, `${pdf.byteLength} bytes`)
    },
  )
}

t.test('the first font that has all characters is used, and what none has is named', { skip }, async (t) => {
  const fonts = [fontOf('latin'), fontOf('japanese')]
  t.match(Buffer.from(await stamped('合計 5', fonts)).toString('latin1'), /%PDF/)
  const failed = await stamped('合計 हि', fonts).catch((err: PdfToolFailed) => err)
  t.match(failed, { reason: 'invalid', message: /U\+0939, U\+093F\. Install a font/ })
})

t.test(
  'a form field that is filled with a text that Helvetica lacks has a font that shows it',
  { skip: skip || missing('pdftotext') },
  async (t) => {
    const fonts = [fontOf('latin'), fontOf('japanese')]
    const filled = async (name: string, flatten: boolean) => {
      const sources = [{ bytes: await samplePdf({ pages: 1 }) }]
      const operation = { operation: 'fill' as const, fields: { name }, flatten }
      const { files, warnings } = await runTask({ sources, files: {}, operation, fonts }, bounds)
      return { pdf: files[0]?.bytes ?? new Uint8Array(), warnings }
    }
    for (const name of ['Žluťoučký kůň', '東京', 'Grace']) {
      const { pdf, warnings } = await filled(name, true)
      t.strictSame(warnings, [])
      t.match(judged('pdftotext', ['FILE', '-'], pdf).output, name)
      t.match(judged('qpdf', ['--check', 'FILE'], pdf), { status: 0 })
      const open = await filled(name, false)
      t.strictSame(open.warnings, [])
      t.equal((await opened(open.pdf)).document.getForm().getTextField('name').getText(), name)
      t.ok(open.pdf.byteLength < 60_000, `${name}: ${open.pdf.byteLength} bytes`)
    }
    t.match((await filled('東京 हि', false)).warnings, [
      { message: /"name" has characters that no font of this deployment/ },
    ])
  },
)

t.test('glyphs are drawn, also of fonts with cubic outlines', { skip: skip || missing('pdftoppm') }, async (t) => {
  const dark = async (text: string, fonts: FontFile[]) => {
    const pdf = await stamped(text, fonts)
    const { output } = judged('pdftoppm', ['-gray', '-r', '30', '-y', '60', '-H', '50', 'FILE'], pdf)
    return [...output].filter((byte) => byte.charCodeAt(0) < 100).length
  }
  for (const [name, text] of texts) {
    t.ok((await dark(text, [fontOf(name)])) > (await dark(' ', [fontOf(name)])), name)
  }
})
