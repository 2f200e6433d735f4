import { streams } from '@platen/domain/streams/subjects.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ConsumerInfo } from 'nats'

/** A slow answer of NATS must not make others late. */
export const answerWithinMs = 1_000

/** More are not shown: a subscriber may create any number. */
const maxConsumers = 1_000

/** Platen's durable consumers of a stream, and those of subscribers. */
export async function durablesOf({ queries }: Pick<Bus, 'queries'>, stream: string): Promise<ConsumerInfo[]> {
  const consumers: ConsumerInfo[] = []
  const pages = queries.consumers.list(stream)
  for (let page = await pages.next(); page.length > 0 && consumers.length < maxConsumers; page = await pages.next()) {
    consumers.push(...page.filter(({ config }) => config.durable_name !== undefined))
  }
  return consumers
}

/** When the oldest command of a subject was sent, in ms since the epoch. A direct read of it, for which the client has no method. */
export async function oldestAt({ nats }: Pick<Bus, 'nats'>, next_by_subj: string): Promise<number | undefined> {
  const request = JSON.stringify({ seq: 1, next_by_subj })
  const { headers } = await nats.request(`$JS.API.DIRECT.GET.${streams.commands}`, request, { timeout: answerWithinMs })
  const time = Date.parse(headers?.get('Nats-Time-Stamp') ?? '')
  // Status 404: there is no message of the subject.
  return Number.isNaN(time) ? undefined : time
}

/** The age of the oldest command of a subject; 0 if there is none. */
export async function oldestAgeS(bus: Pick<Bus, 'nats'>, subject: string): Promise<number> {
  const time = await oldestAt(bus, subject)
  return time === undefined ? 0 : Math.max(0, (Date.now() - time) / 1_000)
}
