import type { Delivery } from '@platen/domain/delivery/delivery.ts'
import {
  type DeliveryRecord,
  deliveryBody,
  evolveDeliveryRecord,
  readDeliveryRecord,
} from '@platen/domain/delivery/delivery-record.ts'
import { deliveryNotFound, redeliver } from '@platen/domain/delivery/redeliver.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { type Command, jsonOption, onlyArgument, parseOptions, timeOption, UsageError } from '../../frame/command.ts'
import { history } from '../../frame/history.ts'

const filters = {
  generation: { type: 'string' },
  status: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
} as const

type Filters = Partial<Record<keyof typeof filters, string | undefined>>

export const listDeliveries: Command = {
  synopsis: '[--generation ID] [--status S] [--since TIME] [--until TIME] [--json]',
  summary: 'list webhook deliveries; status: pending, succeeded, exhausted',
  async run({ openStore, args, print }) {
    const { values } = parseOptions(args, { ...filters, ...jsonOption })
    for (const delivery of await find(await openStore(), values)) {
      print(values.json ? JSON.stringify(delivery) : lineOf(delivery))
    }
  },
}

export const showDelivery: Command = {
  synopsis: '<msg id> [--json]',
  summary: 'print a webhook delivery with every attempt',
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, jsonOption)
    const id = onlyArgument(positionals, 'delivery id')
    const record = await readDeliveryRecord(await openStore(), id)
    const delivery = record && deliveryBody(record)
    if (!delivery) throw deliveryNotFound(id)
    if (values.json) return print(JSON.stringify(delivery))
    print(lineOf(delivery))
    for (const { attempt, at, status, error, duration_ms, response } of delivery.attempts) {
      print(
        `  ${attempt}  ${at}  ${status ?? error}  ${duration_ms} ms${response ? `  ${JSON.stringify(response)}` : ''}`,
      )
    }
    if (delivery.next_attempt_at) print(`  next attempt at ${delivery.next_attempt_at}`)
    if (delivery.reason) print(`  ended: ${delivery.reason}`)
  },
}

export const redeliverDeliveries: Command = {
  synopsis: '<msg id>… | [--generation ID] [--status S] [--since TIME] [--until TIME] [--json]',
  summary: 'send webhooks again, with the same id and body; of a range, those that have failed (--status exhausted)',
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, { ...filters, ...jsonOption })
    const { json, ...range } = values
    const isRange = Object.keys(range).length > 0
    if (isRange === positionals.length > 0) throw new UsageError('expected delivery ids, or --generation or --since')
    const store = await openStore()
    const { generation, status = generation === undefined ? 'exhausted' : undefined } = range
    const ids = isRange ? (await find(store, { ...range, status })).map(({ id }) => id) : positionals
    const nowMs = Date.now()
    const metadata = operatorMetadata()
    for (const id of ids) {
      await redeliver(store, id, metadata, nowMs)
      print(json ? JSON.stringify({ id, due: true }) : `${id} is due now`)
    }
    if (!json && ids.length === 0) print('no deliveries')
  },
}

/** Oldest first. */
async function find(store: EventStore, { generation, status, since, until }: Filters): Promise<Delivery[]> {
  if (status !== undefined && !['pending', 'succeeded', 'exhausted'].includes(String(status))) {
    throw new UsageError('--status must be pending, succeeded or exhausted')
  }
  const sinceMs = timeOption('--since', since) ?? 0
  const untilMs = timeOption('--until', until) ?? Number.POSITIVE_INFINITY
  const records = new Map<string, DeliveryRecord>()
  for await (const event of history(store, { categories: ['delivery'] })) {
    records.set(event.stream, evolveDeliveryRecord(records.get(event.stream), event))
  }
  return [...records.values()]
    .flatMap((record) => deliveryBody(record) ?? [])
    .filter((delivery) => generation === undefined || delivery.generation_id === generation)
    .filter((delivery) => status === undefined || delivery.status === status)
    .filter(({ created_at }) => Date.parse(created_at) >= sinceMs && Date.parse(created_at) < untilMs)
}

function lineOf({ id, generation_id, type, status, created_at, attempts, url }: Delivery): string {
  const last = attempts.at(-1)
  const answer = last ? (last.status ?? last.error) : 'not attempted'
  return [created_at, id, generation_id, type, status, `${attempts.length} attempts`, answer, url].join('  ')
}
