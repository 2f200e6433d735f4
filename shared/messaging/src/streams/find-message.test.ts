import type { StreamInfo } from 'nats'
import t from 'tap'
import { BusUnavailable } from '../connection/bus-unavailable.ts'
import { requireLeading } from './find-message.ts'

/** The information of a stream, as nats-server 2.15 gives it. `heardMs`: of each other server, 0 if it was never heard. */
function info(heardMs: readonly number[], leader = 'n0') {
  const replicas = heardMs.map((ms, n) => ({ name: `n${n + 1}`, current: true, active: ms * 1e6 }))
  return { config: { name: 'COMMANDS' }, cluster: { name: 'test', ...(leader && { leader }), replicas } } as Pick<
    StreamInfo,
    'config' | 'cluster'
  >
}

t.test('a leader that has heard from most servers in the last three seconds leads', async (t) => {
  t.doesNotThrow(() => requireLeading(info([500, 700])))
  t.doesNotThrow(() => requireLeading(info([8_000, 700])), 'one server is suspended')
  t.doesNotThrow(() => requireLeading(info([1_000, 9_000, 2_000, 9_000])), 'two of five are away')
  t.doesNotThrow(() => requireLeading(info([])), 'a stream with one replica')
})

t.test('a leader that has not heard from most servers may have been replaced', async (t) => {
  t.throws(() => requireLeading(info([4_000, 5_000])), BusUnavailable)
  t.throws(() => requireLeading(info([1_000, 9_000, 9_000, 9_000])), BusUnavailable)
  t.throws(() => requireLeading(info([1_000, 9_000, 9_000])), BusUnavailable, 'half of the servers are not most')
})

t.test('a server that the leader has never heard does not count as heard just now', async (t) => {
  t.throws(() => requireLeading(info([0, 5_000])), BusUnavailable)
  t.doesNotThrow(() => requireLeading(info([0, 700])))
})

t.test('a server that knows no leader does not tell what the stream has', async (t) => {
  t.throws(() => requireLeading(info([500, 700, 900], '')), BusUnavailable)
})
