import { NotLeaderError } from '@eventstore/db-client'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { StoreMisconfigured, StoreUnavailable } from '../../event-store.ts'
import { codeOf, permissionDenied, unauthenticated } from './errors.ts'
import { type Problem, probeNodes, settingOf } from './probe-node.ts'
import type { EventStoreDbConnection } from './url.ts'

/** The shortest interval between two investigations of a failed connection. */
const probeEveryMs = 5_000

/** Finds out why calls to a server fail. The client often says only that they did. */
export class Explanations {
  readonly #connection: EventStoreDbConnection
  #probed: { at: number; problem: Promise<Problem | undefined> } | undefined

  constructor(connection: EventStoreDbConnection) {
    this.#connection = connection
  }

  /** The error for readers of logs, without the client's own, whose text differs each time. */
  async explain(err: unknown, limitMs: number): Promise<StoreUnavailable> {
    const { kind, reason } = await untilAborted(this.#of(err), AbortSignal.timeout(limitMs)).catch(() =>
      away(textOf(err)),
    )
    return new (kind === 'setting' ? StoreMisconfigured : StoreUnavailable)(`EVENT_STORE_URL: ${reason}`)
  }

  /** `err` is an error of the client, or one with it as its cause. */
  async #of(err: unknown): Promise<Problem> {
    const innermost = causeOf(err)
    const code = codeOf(innermost)
    const message = textOf(innermost)
    if (code === unauthenticated) return setting('the server refuses the user or its password')
    if (code === permissionDenied)
      return setting(`the user lacks a right (${told(message)}); see platen eventstore setup`)
    if (innermost instanceof NotLeaderError && !this.#connection.discovers) {
      const { address, port } = innermost.leader
      return setting(
        `the server is a follower; name all nodes of the cluster, separated by commas (leader: ${address}:${port})`,
      )
    }
    if (innermost instanceof NotLeaderError) return away('the server is not the leader any more')
    if (/No leader info/i.test(message)) return away('the server knows no leader')
    if (/Connection dropped/i.test(message)) return away('the connection was lost')
    if (/Not Ready/i.test(message)) return away('the server is not ready: it has no leader or no quorum')
    if (/Forwarding timeout|Prepare phase timeout|Commit phase timeout/i.test(message))
      return away(`the cluster does not write: ${told(message)}`)
    const known = settingOf(message)
    if (known) return known
    const isConnection = /No connection established|Name resolution failed|Failed to (discover|connect)/.test(message)
    if (!isConnection) return away(told(message))
    const problem = await this.#probe()
    return problem ?? away(/discover/.test(message) ? 'the cluster has no leader' : 'no connection')
  }

  #probe(): Promise<Problem | undefined> {
    const now = performance.now()
    if (this.#probed === undefined || now - this.#probed.at > probeEveryMs)
      this.#probed = { at: now, problem: probeNodes(this.#connection) }
    return this.#probed.problem
  }
}

const setting = (reason: string): Problem => ({ kind: 'setting', reason })
const away = (reason: string): Problem => ({ kind: 'away', reason })

/** The message without the parts that gRPC adds. Messages that are equal each time are logged once. */
function told(message: string): string {
  const text = message.replace(/^\d+ [A-Z_]+: /, '').replace(/Resolution note:\s*$/, '')
  return text.replace(/ ?\(\d{4}-\d\d-\d\dT[^)]*\)/, '').trim()
}

function textOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err)
}

function causeOf(err: unknown): unknown {
  return err instanceof Error && err.cause instanceof Error ? causeOf(err.cause) : err
}
