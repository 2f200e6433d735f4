import t from 'tap'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'
import { payloads } from './payloads/all.ts'
import { aim } from './support/aim.ts'
import { attack, showsSecret } from './support/attack.ts'
import { openCanaries } from './support/canaries.ts'
import { inParallel } from './support/in-parallel.ts'
import { knownDocuments, timeless } from './support/known-documents.ts'
import { plantSecrets } from './support/secret.ts'

// Tests all network protections together. test/hostile/layers.test.ts tests each alone.
t.setTimeout(600_000)
await using secrets = await plantSecrets()
await using canaries = await openCanaries(['127.0.0.1', '::1'])
const deadlineMs = 10_000
await using printer = await openTestPrinter({ deadlineMs, recycle: { afterDocuments: 150, afterMs: 3_600_000 } })
const range = { host: '127.0.0.1', ports: canaries.ports, files: secrets.folder }

const alone = async (html: string) => {
  await using fresh = await openTestPrinter({ slots: 1 })
  return timeless((await fresh.printHtml(html)).pdf)
}

await t.test('no payload reaches a canary or changes the next document', async (t) => {
  const wanted = { static: await alone(knownDocuments.static), scripted: await alone(knownDocuments.scripted) }
  let printed = 0
  await inParallel(payloads, 3, async (payload) => {
    // Every payload must end with a PDF or a DomainError.
    const outcome = await attack(printer, aim(payload, range)).catch((err: unknown) => ({ broken: err }))
    const kind = printed++ % 4 === 3 ? 'scripted' : 'static'
    const next = timeless((await printer.printHtml(knownDocuments[kind], {}, { owner: 'another' })).pdf)
    const faults = [
      ...canaries.takeHits().map(({ what }) => what),
      ...('broken' in outcome ? [String(outcome.broken)] : []),
      ...(!('broken' in outcome) && (await showsSecret(outcome)) ? ['the PDF shows a secret'] : []),
      ...(next === wanted[kind] ? [] : [`the next document (${kind}) was printed differently`]),
    ]
    if (faults.length > 0) t.fail(payload.name, { faults })
  })
  t.same(canaries.takeHits(), [], 'no request arrives later')
  t.equal(printed, payloads.length)
})
