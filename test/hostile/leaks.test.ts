import t from 'tap'
import { readPdf } from '../support/read-pdf.ts'
import { openTestPrinter, type TestPrinter } from '../support/renderer/open-test-printer.ts'
import { type Probe, probes } from './leaks/probes.ts'
import { type Stain, scriptedStains, staticStains } from './leaks/stains.ts'
import { attack } from './support/attack.ts'
import { timeless } from './support/known-documents.ts'

t.setTimeout(600_000)
const recycle = { afterDocuments: 40, afterMs: 3_600_000 }

/** What each probe prints on a browser that never saw another document. */
async function printedAlone(): Promise<Record<Probe, string>> {
  await using printer = await openTestPrinter({ slots: 1 })
  const print = async (probe: Probe) => timeless((await printer.printHtml(probes[probe], {}, { owner: probe })).pdf)
  return { static: await print('static'), scripted: await print('scripted'), searching: await print('searching') }
}

const alone = await printedAlone()

let owners = 0

/** Each probe is of a key that has no page yet: it gets whatever page is there. */
async function difference(printer: TestPrinter, probe: Probe): Promise<string | undefined> {
  owners += 1
  const { pdf } = await printer.printHtml(probes[probe], {}, { owner: `B${owners}` })
  if (timeless(pdf) === alone[probe]) return undefined
  return `${probe}: ${(await readPdf(pdf))[0]?.text}`
}

await t.test('the probes can tell: alone they find nothing', async (t) => {
  await using printer = await openTestPrinter({ slots: 1 })
  const { pdf, engine } = await printer.printHtml(probes.searching)
  t.match(await readPdf(pdf), [{ text: 'nothing' }])
  t.equal(engine.mode, 'scripted')
  t.equal((await printer.printHtml(probes.static)).engine.mode, 'static')
  const stained = await printer.printHtml(`<script>name = 'stolen'; window.stolen = 1</script>${probes.searching}`)
  t.match((await readPdf(stained.pdf))[0]?.text, /globals: stolen; name: stolen/)
})

/** One page at a time: the probe gets the one that the hostile document had, where a page is used again at all. */
await t.test('nothing of A is found by B, whatever mode', async (t) => {
  await using printer = await openTestPrinter({ slots: 1, recycle })
  const pairs = [
    ...staticStains.map((stain) => ({ stain, probed: ['static', 'scripted'] as const })),
    ...scriptedStains.map((stain) => ({ stain, probed: ['searching', 'static'] as const })),
  ]
  for (const { stain, probed } of pairs) {
    await leave(printer, stain)
    const found = []
    for (const probe of probed) found.push(await difference(printer, probe))
    t.same(found.filter(Boolean), [], stain.name)
  }
})

await t.test('nor while A is still at it, over browsers that come and go', async (t) => {
  await using printer = await openTestPrinter({ slots: 2, recycle: { ...recycle, afterDocuments: 25 } })
  for (const stain of scriptedStains) {
    const leaving = leave(printer, stain)
    const found = await Promise.all([difference(printer, 'searching'), difference(printer, 'static')])
    await leaving
    t.same(found.filter(Boolean), [], stain.name)
  }
})

/** On both of the pages that a printer with one slot has: no clean one is left. */
async function leave(printer: TestPrinter, { html, headerHtml }: Stain) {
  const document = { html, ...(headerHtml !== undefined && { headerHtml }) }
  await Promise.all([attack(printer, document), attack(printer, document)])
}
