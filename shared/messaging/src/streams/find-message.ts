import type { MsgRequest, StoredMsg, StreamInfo } from 'nats'
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
 * A leader of a stream that is cut off from the other servers, but not from its clients, answers for 10 to 20 s more from what it has
 * (`lostQuorumInterval`, looked at each `lostQuorumCheck`), and does not know what another leader has stored since. Returns the
 * milliseconds, from the answer on, in which no other server can lead the stream. Throws BusUnavailable if that time is over, and if
 * the stream has no leader: then any of its servers answers.
 */
export function leadsForMs({ config, cluster }: Pick<StreamInfo, 'config' | 'cluster'>): number {
  const { leader = '', replicas = [] } = cluster ?? {}
  if (cluster && leader === '') throw new BusUnavailable(`the stream ${config.name} has no leader`)
  // 0 is that of a server that this leader has never heard.
  const heardMs = replicas
    .map(({ active }) => (active === 0 ? Number.POSITIVE_INFINITY : active / 1e6))
    .toSorted((one, other) => one - other)
  // With itself, the leader needs more than half of the servers.
  const needed = Math.floor(heardMs.length / 2 + 0.5)
  const leftMs = unreplacedMs - (needed === 0 ? 0 : (heardMs[needed - 1] ?? 0))
  if (leftMs > 0) return leftMs
  throw new BusUnavailable(`the server that leads the stream ${config.name} has lost the others`)
}

/**
 * The message of a stream. Undefined means that there is none: in a cluster, the answer of a leader that may have been replaced does
 * not count, and the stream is asked again until its leader has heard from most servers. Throws BusUnavailable.
 */
export async function findMessage(bus: Bus, stream: string, request: MsgRequest): Promise<StoredMsg | undefined> {
  const find = () => found(bus.queries.streams.getMessage(stream, request))
  const message = await ask(bus, find)
  if (message || bus.nats.info?.cluster === undefined) return message
  return ask(bus, async () => {
    const sentMs = performance.now()
    const info = await found(bus.queries.streams.info(stream))
    if (!info) return undefined
    const leadsUntilMs = sentMs + leadsForMs(info)
    const again = await find()
    if (again || performance.now() < leadsUntilMs) return again
    throw new BusUnavailable(`the stream ${stream} answers slowly`)
  })
}
