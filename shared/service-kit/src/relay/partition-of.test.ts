import { randomUUID } from 'node:crypto'
import t from 'tap'
import { partitionOf } from './partition-of.ts'

t.test(
  'the partition of a stream never changes: processes of two versions divide events in the same way',
  async (t) => {
    const streams = ['generation-pdf_00000000000000000000000001', 'template-tpl_01jd0000000000000000000000', 'x-1']
    const partitions = streams.map((stream) => partitionOf(stream, 4))
    t.strictSame(partitions, [3, 2, 0])
    t.strictSame(
      streams.map((stream) => partitionOf(stream, 1)),
      [0, 0, 0],
    )
  },
)

t.test('streams are spread evenly', async (t) => {
  const streams = Array.from({ length: 8_000 }, () => `generation-pdf_${randomUUID()}`)
  for (const partitions of [2, 3, 4, 16]) {
    const mean = streams.length / partitions
    const counts = Map.groupBy(streams, (stream) => partitionOf(stream, partitions))
    t.equal(counts.size, partitions)
    for (const [partition, { length }] of counts) {
      t.ok(Math.abs(length - mean) < mean / 4, `${length} in ${partition} of ${partitions}`)
    }
  }
})
