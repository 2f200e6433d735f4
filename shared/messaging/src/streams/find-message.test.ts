import type { StreamInfo } from 'nats'
import t from 'tap'
import { BusUnavailable } from '../connection/bus-unavailable.ts'
import { leadsForMs } from './find-message.ts'

/** The information of a stream, as nats-server 2.15 gives it. `heardMs`: of each other server, 0 if it was never heard. */
function info(heardMs: readonly number[], leader = 'n0') {
  const replicas = heardMs.map((ms, n) => ({ name: `n${n + 1}`, current: true, active: ms * 1e6 }))
  return { config: { name: 'COMMANDS' }, cluster: { name: 'test', ...(leader && { leader }), replicas } } as Pick<
    StreamInfo,
    'config' | 'cluster'
  >
}

t.test('a leader that has heard from most servers is not replaced within three seconds of that', async (t) => {
  t.equal(leadsForMs(info([500, 700])), 2_500)
  t.equal(leadsForMs(info([8_000, 700])), 2_300, 'one server is suspended')
  t.equal(leadsForMs(info([1_000, 9_000, 2_000, 9_000])), 1_000, 'two of five are away')
  t.equal(leadsForMs(info([])), 3_000, 'a stream with one replica')
})

t.test('a leader that has not heard from most servers may have been replaced', async (t) => {
  t.throws(() => leadsForMs(info([4_000, 5_000])), BusUnavailable)
  t.throws(() => leadsForMs(info([1_000, 9_000, 9_000, 9_000])), BusUnavailable)
})

t.test('a server that the leader has never heard does not count as heard just now', async (t) => {
  t.throws(() => leadsForMs(info([0, 5_000])), BusUnavailable)
  t.equal(leadsForMs(info([0, 700])), 2_300)
})

t.test('a server that knows no leader does not tell what the stream has', async (t) => {
  t.throws(() => leadsForMs(info([500, 700, 900], '')), BusUnavailable)
})
