import { StreamDeletedError, WrongExpectedVersionError } from '@eventstore/db-client'
import t from 'tap'
import { InvalidPosition } from '../../event-store.ts'
import { appendError, endOfSubscription, readError } from './errors.ts'

const grpcError = (code: number, message = '') => Object.assign(new Error(message), { code })
const outcome = (err: unknown) => (appendError(err, 'note-a', 3) as Error).name

t.test('an append that may have been written has an unknown outcome', async (t) => {
  for (const code of [1, 2, 4, 8, 10, 13, 14]) t.equal(outcome(grpcError(code)), 'OutcomeUnknown', String(code))
  t.equal(outcome(grpcError(14, '14 UNAVAILABLE: read ECONNRESET')), 'OutcomeUnknown')
  t.equal(outcome(new Error('No answer in 5000 ms')), 'OutcomeUnknown')
})

t.test('an append that was not sent or was denied is not written', async (t) => {
  const refused = '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:2113'
  t.equal(outcome(grpcError(14, refused)), 'StoreUnavailable')
  t.equal(outcome(grpcError(14, '14 UNAVAILABLE: Name resolution failed for target dns:nowhere')), 'StoreUnavailable')
  t.equal(outcome(new Error('Failed to discover after 10 attempts.')), 'StoreUnavailable')
  for (const code of [7, 16]) t.equal(outcome(grpcError(code)), 'StoreUnavailable', String(code))
})

t.test('a wrong expected revision is reported with the actual one', async (t) => {
  const wrong = (current: bigint | 'no_stream') =>
    appendError(
      new WrongExpectedVersionError(undefined as never, { streamName: 'note-a', current, expected: 3n }),
      'note-a',
      3,
    )
  t.match(wrong(7n), { name: 'WrongExpectedRevision', expected: 3, actual: 7 })
  t.match(wrong('no_stream'), { name: 'WrongExpectedRevision', expected: 3, actual: 'none' })
  t.match(wrong(-1n), { actual: 'none' }, 'as an older server reports it')
})

t.test('permanent errors are not reported as unavailability', async (t) => {
  const tombstoned = StreamDeletedError.fromStreamName('note-a')
  t.equal(appendError(tombstoned, 'note-a', 3), tombstoned)
  t.equal(readError(tombstoned), tombstoned)
  t.match(readError(grpcError(14)), { name: 'StoreUnavailable' })
})

t.test('only a position of another log and errors of this program end a subscription', async (t) => {
  for (const code of [1, 2, 4, 7, 10, 13, 14, 16]) t.equal(endOfSubscription(grpcError(code)), undefined, String(code))
  for (const err of [new InvalidPosition('x'), new TypeError('x')]) t.equal(endOfSubscription(err), err)
})
