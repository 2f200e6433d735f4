import { defined } from '@platen/foundation/json/defined.ts'
import { untilBeat } from '@platen/foundation/runtime/beat.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { NatsConfig } from '@platen/messaging/connection/nats-options.ts'
import { healthSubject, servicesAccount } from '@platen/service-kit/host/embedded-nats.ts'
import { connect, type NatsConnection } from 'nats'

const lookEveryMs = 5_000
/** While something is wrong. */
const lookAgainMs = 1_000
const answerWithinMs = 2_000

export interface HealthOptions {
  connection: Pick<NatsConfig, 'url' | 'user' | 'password'>
  silentForMs: number
  signal: AbortSignal
}

/**
 * Resolves with the reason when the server needs a restart: it reports a fault twice, such as a failed write, or
 * JetStream has not answered for `silentForMs`. A server that met a write error refuses writes until it is restarted. Resolves
 * with undefined when the signal aborts.
 */
export async function untilUnhealthy({ connection, silentForMs, signal }: HealthOptions): Promise<string | undefined> {
  let nats: NatsConnection | undefined
  let silentMs = 0
  let earlierFault: string | undefined
  const seen = { streams: 0 }
  while (!signal.aborted) {
    const startedAt = performance.now()
    const look = async () => {
      nats ??= await openConnection(connection)
      return await faultOf(nats, seen)
    }
    const found = await look().catch(() => 'silent' as const)
    await (found === undefined ? untilBeat(lookEveryMs, signal) : sleep(lookAgainMs, signal))
    if (found === 'silent') {
      // A check counts with its longest time at most, because this process may have been suspended.
      silentMs += Math.min(performance.now() - startedAt, lookAgainMs + 2 * answerWithinMs)
      await nats?.close().catch(() => {})
      nats = undefined
    } else {
      silentMs = 0
      if (found !== undefined && earlierFault !== undefined) break
      earlierFault = found
    }
    if (silentMs >= silentForMs) break
  }
  await nats?.close().catch(() => {})
  if (signal.aborted) return undefined
  return earlierFault ?? 'JetStream does not answer'
}

function openConnection({ url, user, password }: HealthOptions['connection']): Promise<NatsConnection> {
  return connect({
    servers: url.replace('nats://', ''),
    ...defined({ user, pass: password }),
    name: 'platen health',
    timeout: answerWithinMs,
    reconnect: false,
  })
}

/**
 * Restricts the health check to this account. Otherwise nats-server also reports streams of an account that no longer
 * exists, such as `$G` of an earlier Platen, as not recovered, and no restart repairs that.
 */
const ofServices = JSON.stringify({ account: servicesAccount })

/**
 * The fault that the server reports; undefined if it is healthy. `seen` are the streams that it had before. Rejects when the server
 * or JetStream does not answer.
 */
export async function faultOf(nats: NatsConnection, seen = { streams: 0 }): Promise<string | undefined> {
  const [health, account] = await Promise.all([
    nats.request(healthSubject, ofServices, { timeout: answerWithinMs }),
    nats.request('$JS.API.INFO', '', { timeout: answerWithinMs }),
  ])
  const { data } = health.json<{ data?: { status?: string; error?: string } }>()
  const { streams = 0 } = account.json<{ streams?: number }>()
  seen.streams = Math.max(seen.streams, streams)
  if (data?.status === 'ok') return undefined
  const fault = data?.error ?? 'its health check fails'
  // nats-server makes the folder of an account with its first stream, and does not find the account before.
  return seen.streams === 0 && /account .* not found/.test(fault) ? undefined : fault
}
