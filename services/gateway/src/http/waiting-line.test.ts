import t from 'tap'
import { WaitingLine } from './waiting-line.ts'

const refusal = () => new Error('too late')
const patient = { maxWaitMs: 600_000, refusal }

t.test('those that wait begin in the order of their arrival', async (t) => {
  const line = new WaitingLine()
  const begun: number[] = []
  const all = [1, 2, 3].map((number) => line.wait(() => begun.push(number), patient))
  t.equal(line.size, 3)
  t.equal(line.admit(), true)
  t.same(begun, [1], 'at once')
  t.equal(line.admit(), true)
  t.equal(line.admit(), true)
  t.same(begun, [1, 2, 3])
  t.equal(line.admit(), false)
  t.equal(line.size, 0)
  t.same(await Promise.all(all), [1, 2, 3], 'with the results of their begins')
})

t.test('one that waits for too long is refused, and leaves its place', async (t) => {
  const line = new WaitingLine()
  const late = line.wait(() => t.fail('it has begun'), { maxWaitMs: 5, refusal })
  await t.rejects(late, { message: 'too late' })
  t.equal(line.admit(), false)
})

t.test('one whose signal aborts leaves its place', async (t) => {
  const line = new WaitingLine()
  const client = new AbortController()
  const leaving = line.wait(() => t.fail('it has begun'), { ...patient, signal: client.signal })
  const staying = line.wait(() => 'begun', patient)
  client.abort(new Error('left'))
  await t.rejects(leaving, { message: 'left' })
  line.admit()
  t.equal(await staying, 'begun')
})

t.test('a full line refuses at once', async (t) => {
  const line = new WaitingLine({ maxWaiting: 1 })
  const first = line.wait(() => 'begun', patient)
  await t.rejects(
    line.wait(() => '', patient),
    { message: 'too late' },
  )
  line.admit()
  t.equal(await first, 'begun')
})
