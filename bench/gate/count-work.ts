import { type CountedPlaten, startCounted, type Work } from '../../test/support/work/counted-platen.ts'
import type { Counts } from '../../test/support/work/counts.ts'
import { isByTime } from '../../test/support/work/per-document.ts'
import { benchDocuments } from '../documents/documents.ts'
import { type HttpClient, openHttpClient } from '../strategies/http-client.ts'
import { expectAnswer } from '../strategies/running-platen.ts'
import { type Figure, type FigureKind, figure } from './figure.ts'

const atOnce = 8
/** Several batches, so that an interval shows what depends on the moment. The first ones warm up. */
const batches = 3
const labels = 100
const charts = 16

type Measure = [what: string, kind: FigureKind, of: (work: Work) => number]

const commands: Measure = ['DevTools commands', 'count', (work) => sum(work.commands)]
const ofLabels: Measure[] = [
  ['DevTools commands', 'timed', (work) => sum(work.commands)],
  ['NATS messages', 'count', ({ messages }) => sum(messages, (kind) => !isByTime(kind))],
  ['NATS messages with those by time', 'timed', ({ messages }) => sum(messages)],
  ['recorded events', 'count', ({ events }) => sum(events)],
]
const onDisk: Measure[] = [
  ['flushes of Node.js', 'timed', ({ calls }) => calls['node flush'] ?? 0],
  ['flushes of nats-server', 'timed', ({ calls }) => calls['nats flush'] ?? 0],
  ['files that Node.js creates', 'count', ({ calls }) => calls['node create'] ?? 0],
]

/** What a document costs in messages, flushes, files and commands, eight at once. */
export async function countWork(say: (text: string) => void): Promise<Figure[]> {
  await using counted = await startCounted()
  using client = openHttpClient(counted.platen.url, { authorization: `Bearer ${counted.platen.apiKey}` })
  const documents = await benchDocuments()
  const count = async (name: string, number: number, measures: readonly Measure[]) => {
    const html = documents.find((document) => document.name === name)?.html ?? ''
    const works: Work[] = []
    for (let batch = 0; batch <= batches; batch++) works.push(await countBatch(counted, client, { html, number }))
    return measures.map(([what, kind, of]) => {
      const each = works.slice(1).map((work) => of(work) / number)
      return figure(`${name}: ${what}`, kind, each)
    })
  }
  if (counted.uncounted !== undefined) say(`flushes and files are left out: ${counted.uncounted}`)
  const measures = [...ofLabels, ...(counted.uncounted === undefined ? onDisk : [])]
  return [...(await count('label', labels, measures)), ...(await count('chart', charts, [commands]))]
}

function countBatch(
  counted: CountedPlaten,
  client: HttpClient,
  { html, number }: { html: string; number: number },
): Promise<Work> {
  let started = 0
  const work = async () => {
    while (started++ < number) expectAnswer(await client.post('/v1/generate', { html }), 200)
  }
  const print = async () => void (await Promise.all(Array.from({ length: atOnce }, work)))
  const isDone = ({ messages }: Work) => (messages['published events.generation.completed'] ?? 0) >= number
  return counted.count(print, isDone)
}

function sum(counts: Counts, isCounted: (kind: string) => boolean = () => true): number {
  return Object.entries(counts).reduce((total, [kind, count]) => total + (isCounted(kind) ? count : 0), 0)
}
