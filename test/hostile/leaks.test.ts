import t from 'tap'
import { readPdf } from '../support/read-pdf.ts'
import { openTestPrinter, type TestPrinter } from '../support/renderer/open-test-printer.ts'
import { type Leak, scriptedLeaks, staticLeaks } from './leaks/leaks.ts'
import { type Probe, probes } from './leaks/probes.ts'
import { attack } from './support/attack.ts'
import { timeless } from './support/known-documents.ts'

t.setTimeout(600_000)
const recycle = { afterDocuments: 40, afterMs: 3_600_000 }

/** The PDF of each probe from a browser that has shown no other document. */
async function printedAlone(): Promise<Record<Probe, string>> {
  await using printer = await openTestPrinter({ slots: 1 })
  const print = async (probe: Probe) => timeless((await printer.printHtml(probes[probe], {}, { owner: probe })).pdf)
  return { static: await print('static'), scripted: await print('scripted'), searching: await print('searching') }
}

const alone = await printedAlone()

let owners = 0

/** Each probe has a new owner, so it can get any page. */
async function difference(printer: TestPrinter, probe: Probe): Promise<string | undefined> {
  owners += 1
  const { pdf } = await printer.printHtml(probes[probe], {}, { owner: `B${owners}` })
  if (timeless(pdf) === alone[probe]) return undefined
  return `${probe}: ${(await readPdf(pdf))[0]?.text}`
}

await t.test(
  'the probes find nothing in a new browser, and find the state of a script in their own document',
  async (t) => {
    await using printer = await openTestPrinter({ slots: 1 })
    const { pdf, engine } = await printer.printHtml(probes.searching)
    t.match(await readPdf(pdf), [{ text: 'nothing' }])
    t.equal(engine.mode, 'scripted')
    t.equal((await printer.printHtml(probes.static)).engine.mode, 'static')
    const leaking = await printer.printHtml(`<script>name = 'stolen'; window.stolen = 1</script>${probes.searching}`)
    t.match((await readPdf(leaking.pdf))[0]?.text, /globals: stolen; name: stolen/)
  },
)

/** With one page at a time, the probe gets the page of the hostile document if pages are reused. */
await t.test('a document finds no state of another owner in any render mode', async (t) => {
  await using printer = await openTestPrinter({ slots: 1, recycle })
  const pairs = [
    ...staticLeaks.map((leak) => ({ leak, probed: ['static', 'scripted'] as const })),
    ...scriptedLeaks.map((leak) => ({ leak, probed: ['searching', 'static'] as const })),
  ]
  for (const { leak, probed } of pairs) {
    await printTwice(printer, leak)
    const found = []
    for (const probe of probed) found.push(await difference(printer, probe))
    t.same(found.filter(Boolean), [], leak.name)
  }
})

await t.test(
  'a document finds no state of a document printed at the same time, also when browsers are replaced',
  async (t) => {
    await using printer = await openTestPrinter({ slots: 2, recycle: { ...recycle, afterDocuments: 25 } })
    for (const leak of scriptedLeaks) {
      const printing = printTwice(printer, leak)
      const found = await Promise.all([difference(printer, 'searching'), difference(printer, 'static')])
      await printing
      t.same(found.filter(Boolean), [], leak.name)
    }
  },
)

/** A printer with one slot has two pages. Both show the document, so that no clean page is left. */
async function printTwice(printer: TestPrinter, { html, headerHtml }: Leak) {
  const document = { html, ...(headerHtml !== undefined && { headerHtml }) }
  await Promise.all([attack(printer, document), attack(printer, document)])
}
