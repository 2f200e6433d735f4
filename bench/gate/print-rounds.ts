import { availableParallelism } from 'node:os'
import type { BenchDocument } from '../documents/document.ts'
import { benchDocuments } from '../documents/documents.ts'
import { watchOthers } from '../machine/used-by-others.ts'
import { measure, type Segment } from '../rendering/measure.ts'
import { warmUp } from '../rendering/warm-up.ts'
import { openFloor } from '../strategies/floor.ts'
import { openContextAhead } from '../strategies/page-per-render.ts'
import { platenSync } from '../strategies/platen.ts'
import { openReusedPage } from '../strategies/reused-page.ts'
import { openPlaten } from '../strategies/running-platen.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { type Figure, type FigureKind, figure } from './figure.ts'

/** How long a strategy prints a document in a round. Many short rounds tell more than few long ones: the speed of a machine drifts. */
const segmentMs: Readonly<Record<string, number>> = { label: 500, invoice: 500, report: 800, chart: 800 }

interface Turn {
  document: BenchDocument
  strategy: Strategy
  concurrency: number
  segments: Segment[]
}

export interface PrintRounds extends AsyncDisposable {
  /** Measures each of these documents so many times more. Resolves with the share of the processor that other programs used. */
  run(rounds: number, documents?: readonly string[]): Promise<number>
  /** The figures of all rounds so far. */
  figures(): Figure[]
}

/** Platen, the floor program and bare Chromium, each warm, which print in turn. */
export async function openPrintRounds(chromiumPath: string, say: (text: string) => void): Promise<PrintRounds> {
  await using resources = new AsyncDisposableStack()
  const maxConcurrency = availableParallelism()
  const platen = platenSync(resources.use(await openPlaten()))
  const floor = resources.use(await openFloor({ chromiumPath, maxConcurrency }))
  const bare = resources.use(await openReusedPage({ chromiumPath, maxConcurrency }))
  const isolated = resources.use(await openContextAhead({ chromiumPath, maxConcurrency }))
  const documents = (await benchDocuments()).filter(({ name }) => segmentMs[name] !== undefined)

  const turn = (document: BenchDocument, strategy: Strategy, concurrency: number): Turn => ({
    document,
    strategy,
    concurrency,
    segments: [],
  })
  const turns = documents.flatMap((document) => {
    const ours = turn(document, platen, 8)
    if (document.scripted) return [turn(document, isolated, maxConcurrency), ours]
    const all = [turn(document, bare, maxConcurrency), ours, turn(document, floor, 8)]
    return document.name === 'label' ? [...all, turn(document, platen, 1), turn(document, floor, 1)] : all
  })
  say('warming up')
  await warmUp([bare, floor, platen])
  let round = 0
  const disposable = resources.move()
  return {
    async run(rounds, only = Object.keys(segmentMs)) {
      // While all programs run: what a killed process has used is in no count of its parents.
      const readOthers = watchOthers()
      const chosen = turns.filter(({ document }) => only.includes(document.name))
      for (const last = round + rounds; round < last; ) {
        say(`round ${++round} of ${last}`)
        for (const { document, strategy, concurrency, segments } of round % 2 ? chosen : chosen.toReversed()) {
          const ms = segmentMs[document.name] ?? 0
          segments.push(await measure(strategy, document, { concurrency, ms }))
        }
      }
      return readOthers()
    },
    figures: () => documents.flatMap(({ name }) => figuresOf(turns.filter(({ document }) => document.name === name))),
    [Symbol.asyncDispose]: () => disposable.disposeAsync(),
  }
}

/** The figures of one document. */
function figuresOf(turns: readonly Turn[]): Figure[] {
  const name = turns[0]?.document.name ?? ''
  const find = (id: string, atOnce: 'one' | 'many') =>
    turns.find(({ strategy, concurrency }) => strategy.id === id && (concurrency === 1) === (atOnce === 'one'))
  const ratios = (
    ours: Turn | undefined,
    others: Turn | undefined,
    [what, kind, of]: [string, FigureKind, (segment: Segment) => number],
  ): Figure[] => {
    if (!ours || !others) return []
    const values = ours.segments.flatMap((segment, round) => {
      const other = others.segments[round]
      return other ? [of(segment) / of(other)] : []
    })
    return [figure(`${name}: ${what} over ${nameOf(others.strategy)}`, kind, values)]
  }
  const [platen, floor, bare, isolated] = (['f', 'n', 'b', 'h'] as const).map((id) => find(id, 'many'))
  return [
    ...[floor, bare, isolated].flatMap((other) => ratios(platen, other, ['documents/s', 'rate', ({ rate }) => rate])),
    ...[floor, bare, isolated].flatMap((other) => ratios(platen, other, ['CPU', 'cpu', ({ cpuMs }) => cpuMs])),
    // Not over the bare page, which flushes nothing: how long a flush takes depends on the disk.
    ...ratios(find('f', 'one'), find('n', 'one'), ['one request', 'latency', ({ p50Ms }) => p50Ms]),
  ]
}

const nameOf = ({ id }: Strategy) => ({ n: 'floor', b: 'bare page', h: 'fresh context' })[id] ?? id
