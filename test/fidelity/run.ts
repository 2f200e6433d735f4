import { availableParallelism } from 'node:os'
import { startPlaten } from '../support/platen.ts'
import { findDocuments } from './find-documents.ts'
import { openProgress } from './progress.ts'
import { help, readArguments, type Settings, WrongArguments } from './read-arguments.ts'
import { checkDocument, type FidelityDocument, type Outcome } from './support/check-document.ts'
import { eachConcurrently } from './support/each-concurrently.ts'
import { openJudge } from './support/open-judge.ts'
import type { PlatenAccess } from './support/platen-printer.ts'
import { openReport } from './write-report.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const settings = readArguments(process.argv.slice(2), process.env)
    if (settings === 'help') {
      process.stdout.write(help)
      return 0
    }
    return await run(settings)
  } catch (err) {
    if (!(err instanceof WrongArguments)) throw err
    process.stderr.write(`fidelity: ${err.message}\n(npm run fidelity -- --help shows what can be given)\n`)
    return 2
  }
}

async function run(settings: Settings): Promise<number> {
  const { sources, delayMs, mode, repeat, out } = settings
  await using resources = new AsyncDisposableStack()
  const documents: FidelityDocument[] = []
  for (const source of sources) documents.push(...(await findDocuments(source, delayMs, resources)))
  const platen = settings.running ?? (await startOwnPlaten(resources))
  const chromium = resources.use(await openJudge(platen))
  const report = await openReport(out)
  const progress = openProgress(documents.length)
  const outcomes: Record<Outcome, number> = { same: 0, later: 0, different: 0, unstable: 0, unjudged: 0 }
  await eachConcurrently(documents, availableParallelism(), async (document) => {
    const verdict = await checkDocument(document, { chromium, platen, repeat, options: { javascript: mode } })
    outcomes[verdict.outcome] += 1
    progress.done(verdict)
    await report.add(verdict)
  })
  const { same, later, different, unstable, unjudged } = outcomes
  const summary =
    `${documents.length} documents, each ${repeat} times by Platen: ${same} the same, ${different} different` +
    (later > 0 ? `, ${later} as plain Chromium prints them some seconds after they have loaded` : '') +
    (unstable > 0 ? `, ${unstable} that plain Chromium prints differently each time` : '') +
    (unjudged > 0 ? `, ${unjudged} that plain Chromium cannot print` : '')
  const path = await report.finish(summary)
  progress.end(`${summary}; ${path}`)
  return different + unjudged > 0 ? 1 : 0
}

async function startOwnPlaten(resources: AsyncDisposableStack): Promise<PlatenAccess> {
  return resources.use(await startPlaten({ RENDER_EGRESS: 'any' }))
}
