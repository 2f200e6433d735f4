import t from 'tap'
import committed from '../results/scale.json' with { type: 'json' }
import { bottleneckOf } from './bottleneck.ts'
import { coreSets } from './core-sets.ts'
import { type FittedCost, fitCosts, fitLine, shareOf } from './costs.ts'
import { predictRates } from './predict.ts'
import { type Part, parts, type ScaleResult, type ScaleRow } from './result.ts'
import { limitsOf, sizeDeployment } from './size-deployment.ts'

const result = committed as ScaleResult

t.test('what each process pays for a document is told from what they share', async (t) => {
  const { sharedMs, eachMs } = fitLine([
    [1, 2.5],
    [2, 3],
    [4, 4],
  ])
  t.same(
    [sharedMs, eachMs].map((ms) => Number(ms.toFixed(6))),
    [2, 0.5],
  )
  t.same(fitLine([[1, 3]]), { sharedMs: 3, eachMs: 0 }, 'one size tells nothing of the others')
  const falling = fitLine([
    [1, 4],
    [2, 2],
  ])
  t.same(falling, { sharedMs: 3, eachMs: 0 }, 'more processes make no document cheaper')
  const fromZero = fitLine([
    [1, 1],
    [2, 3],
  ])
  t.ok(fromZero.sharedMs >= 0 && fromZero.eachMs <= 1.5, 'no part begins below zero')
})

const cost = (given: Partial<FittedCost>): FittedCost => ({
  sharedMs: 0,
  eachMs: 0,
  restMs: 0,
  pssMb: 100,
  flushes: 0,
  ...given,
})
const costs = {
  ...(Object.fromEntries(parts.map((part) => [part, cost({})])) as Record<Part, FittedCost>),
  gateway: cost({ sharedMs: 2, eachMs: 0.1, restMs: 5 }),
  renderer: cost({ sharedMs: 5 }),
  relay: cost({ sharedMs: 1 }),
  'nats-server': cost({ sharedMs: 2, flushes: 5 }),
}
const row = {
  appends: 1,
  stored: { commands: 1, events: 3, eventBytes: 3_000 },
  objectRequests: { PUT: 1 },
} as unknown as ScaleRow
const inputs = { costs, row, pdfBytes: 30_000, streamPerS: 3_000, chromiumMs: 15 }

t.test('a deployment has as many processes as the processor time of its documents needs', async (t) => {
  const size = sizeDeployment(100, inputs)
  // A gateway of two uses 5 + 100 × (2 + 2 × 0.1) / 2 = 115 ms a second.
  t.equal(shareOf(costs.gateway, 2, 100).toFixed(3), '0.115')
  t.match(size, { gateways: 2, renderers: 2, relays: 1, notifiers: 2 })
  t.equal(size.coresUsed.renderers, 2, '100 × (5 + 15) ms')
  t.equal(size.coresUsed.gateways.toFixed(3), '0.230')
  t.equal(size.coresUsed.relays, 0.1)
  t.equal(size.coresUsed.nats.toFixed(3), '0.600', 'three servers, 100 × 2 ms each')
  t.equal(size.coresGiven.toFixed(3), (2.93 / 0.6).toFixed(3))
  t.match(size, { flushesPerS: 500, appendsPerS: 100, s3PerS: 100 })
  t.equal(size.pdfGbPerDay, (100 * 86_400 * 30_000) / 1e9)
  t.equal(size.cpuHoursPerMillion.toFixed(3), (29.3 / 3.6).toFixed(3), 'a millisecond is 0.278 hours per million')

  // At 1,000: 33.3 cores are given to renderers of four; relays of 600 a second.
  t.match(sizeDeployment(1_000, inputs), { renderers: 9, relays: 2, gateways: 5 })
})

t.test('what is full first is the first limit', async (t) => {
  const limits = limitsOf(inputs)
  t.same(
    limits.slice(0, 2).map(({ perSecond }) => perSecond),
    [600, 600],
    'a relay, and three messages for EVENTS',
  )
  t.equal(limits.at(-1)?.perSecond, Number.POSITIVE_INFINITY)
})

t.test('a run names what was full', async (t) => {
  const measured = { rate: 24, printMs: 200, slots: 4, size: 1, workload: 'sync', usedByOthers: 0.1 } as const
  const cpu = (cpuMs: number) => ({ cpuMs }) as ScaleRow['parts']['relay']
  const parts = { gateway: cpu(5), renderer: cpu(10), 'nats-server': cpu(2) }
  const run = { ...measured, parts, busiest: { part: 'gateway', share: 0.2 } } as ScaleRow
  t.equal(bottleneckOf(run, 2), 'the slots of the renderers (96 %)')
  t.equal(bottleneckOf({ ...run, rate: 10 }, 2), 'nothing alone; most used: the slots of the renderers (40 %)')
  t.equal(bottleneckOf({ ...run, printMs: 5, rate: 55 }, 2), 'the core of each unit (93 %)')
  t.equal(
    bottleneckOf({ ...run, printMs: 5, rate: 50, size: 2 }, 2),
    'nothing alone; most used: the cores of the machine (53 %)',
  )
})

t.test('each unit has a core, and the other programs have the rest', async (t) => {
  const many = coreSets(2, 8)
  t.same([many.unit(0), many.unit(1), many.others], ['0', '1', '2,3,4,5,6,7'])
  const few = coreSets(4, 2)
  t.same([0, 1, 2, 3].map(few.unit), ['0', '1', '0', '1'])
  t.equal(few.others, '0,1')
})

t.test('the committed result: the costs of the other runs predict the rate of each run', async (t) => {
  const predicted = predictRates(result)
  t.ok(new Set(predicted.map(({ row }) => row.size)).size >= 4, 'four sizes')
  t.ok(new Set(predicted.map(({ row }) => row.partitions)).size >= 3, 'one relay, and two numbers of partitions')
  for (const { row, rate } of predicted) {
    const ratio = row.rate / rate
    const about = `${row.size}, ${row.partitions} partitions, ${row.pace}: ${row.rate} measured, ${rate.toFixed(1)} computed`
    t.ok(ratio > 0.8, about)
    // A single saturated unit handles more documents a second than any process of the others, and each costs less.
    t.ok(ratio < (row.pace === 'saturated' && row.size === 1 ? 2 : 1.2), about)
  }
  const fitted = fitCosts(result)
  for (const part of ['gateway', 'renderer', 'relay', 'notifier', 'nats-server'] as const)
    t.ok(fitted[part].sharedMs + fitted[part].eachMs > 0, part)
})
