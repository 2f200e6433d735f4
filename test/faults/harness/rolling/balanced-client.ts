import { setTimeout as delay } from 'node:timers/promises'
import { type Answered, Client, type RequestOf } from '../client.ts'
import type { Lost } from '../evidence.ts'
import type { Door } from '../system.ts'

/** A try that got no answer. */
export interface LostTry {
  gateway: string
  lost: Lost
  atMs: number
}

/** A request with all its tries. */
export interface BalancedRequest {
  operation: string
  status: number | 'cut'
  code?: string
  lostTries: LostTry[]
  sentMs: number
  answeredMs: number
}

const mostBroken = 5
const refusedEverywhereMs = 20
const giveUpAfterMs = 30_000
/** Methods that may be repeated by RFC 9110. */
const idempotent = ['GET', 'PUT', 'DELETE']

/**
 * Sends requests like a load balancer with a careful client. A gateway that refuses the connection has read nothing, so
 * another one is asked. A request whose connection broke may have been executed: it is repeated if its method or its
 * Idempotency-Key allows that. An answered request is never repeated.
 */
export class BalancedClient extends Client {
  readonly requests: BalancedRequest[] = []
  /** API keys of one owner, as those of several programs. Set before requests are sent. */
  keys: readonly string[] = []
  #sent = 0

  override async send<Body>(gateway: Door, request: RequestOf): Promise<Answered<Body>> {
    const { gateways, requests } = this
    const by = this.keys[this.#sent++ % this.keys.length]
    const headers = { ...(by !== undefined && { authorization: `Bearer ${by}` }), ...request.headers }
    const sentMs = Date.now()
    const lostTries: LostTry[] = []
    for (let at = gateways.indexOf(gateway); ; at++) {
      const door = gateways[at % gateways.length] ?? gateway
      const answered = await super.send<Body>(door, { ...request, headers })
      const { status, code, lost } = answered
      const answeredMs = Date.now()
      if (lost) lostTries.push({ gateway: door.name, lost, atMs: answeredMs })
      if (lost && answeredMs - sentMs < giveUpAfterMs && mayTryAgain(request, lostTries)) {
        if (lostTries.slice(-gateways.length).filter((one) => one.lost === 'refused').length === gateways.length)
          await delay(refusedEverywhereMs)
        continue
      }
      requests.push({
        operation: request.operation,
        status,
        lostTries,
        sentMs,
        answeredMs,
        ...(code && { code }),
      })
      return answered
    }
  }
}

function mayTryAgain({ body, method, headers = {} }: RequestOf, lostTries: readonly LostTry[]): boolean {
  const broken = lostTries.filter(({ lost }) => lost !== 'refused').length
  if (broken === 0) return true
  const isIdempotent = idempotent.includes(method ?? (body === undefined ? 'GET' : 'POST'))
  return broken < mostBroken && (isIdempotent || 'idempotency-key' in headers)
}
