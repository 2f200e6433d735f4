import type { StoredMsg, StreamInfo } from 'nats'
import { ask } from '../connection/ask.ts'
import type { Bus } from '../connection/bus.ts'
import { BusUnavailable } from '../connection/bus-unavailable.ts'
import { found } from './streams.ts'

/**
 * Followers elect another leader when they have not heard from theirs for 4 s at least (`minElectionTimeout` in `raft.go` of
 * nats-server 2.15.1). A second of it is for answers of followers that arrive late.
 */
const unreplacedMs = 3_000

/**
 * Throws BusUnavailable if another server may lead the stream than the one whose answer this is: a leader that is cut off from the other
 * servers, but not from its clients, answers for 10 to 20 s more from what it has (`lostQuorumInterval`, looked at each
 * `lostQuorumCheck`), and does not know what another leader has stored since. What the same answer says of the messages holds if
 * nothing is thrown. A stream without a leader throws, too: then any of its servers answers.
 */
export function requireLeading({ config, cluster }: Pick<StreamInfo, 'config' | 'cluster'>): void {
  const { leader = '', replicas = [] } = cluster ?? {}
  if (cluster && leader === '') throw new BusUnavailable(`the stream ${config.name} has no leader`)
  // 0 is that of a server that this leader has never heard.
  const heard = replicas.filter(({ active }) => active > 0 && active / 1e6 < unreplacedMs)
  // With itself, the leader needs more than half of the servers.
  if (heard.length + 1 > (replicas.length + 1) / 2) return
  throw new BusUnavailable(`the server that leads the stream ${config.name} has lost the others`)
}

/**
 * The last message of a subject, which may have wildcards. Undefined means that there is none: in a cluster, the answer of a leader that
 * may have been replaced does not count, and the stream is asked again until one that leads says so. Throws BusUnavailable.
 */
export async function findMessage(bus: Bus, stream: string, subject: string): Promise<StoredMsg | undefined> {
  const { streams } = bus.queries
  const find = () => found(streams.getMessage(stream, { last_by_subj: subject }))
  const message = await ask(bus, find)
  if (message || bus.nats.info?.cluster === undefined) return message
  return ask(bus, async () => {
    // One answer, as two may be of different servers, of which the first has been replaced and does not know it.
    const info = await found(streams.info(stream, { subjects_filter: subject }))
    if (!info) return undefined
    requireLeading(info)
    if (Object.keys(info.state.subjects ?? {}).length === 0) return undefined
    const again = await find()
    if (again) return again
    throw new BusUnavailable(
      `the messages of ${subject} are read from a server that does not lead the stream ${stream}`,
    )
  })
}
