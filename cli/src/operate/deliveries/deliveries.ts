import { type Delivery, DeliveryStatus } from '@platen/domain/delivery/delivery.ts'
import {
  type DeliveryRecord,
  deliveryBody,
  evolveDeliveryRecord,
  readDeliveryRecord,
} from '@platen/domain/delivery/delivery-record.ts'
import { deliveryNotFound, redeliver } from '@platen/domain/delivery/redeliver.ts'
import { redactAll, redactResponse } from '@platen/domain/events/redact.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { history } from '@platen/event-store/history.ts'
import { any, defineCommand, one } from '../../frame/command.ts'
import { dryRun, isAnyGiven, isWithin, last, newest, time, UsageError, type Values } from '../../frame/options.ts'
import { withoutAppends } from '../../frame/without-appends.ts'
import { findOwner } from '../owners/owners.ts'

const filters = {
  owner: { value: 'OWNER', about: 'of this owner, by id or name' },
  generation: { value: 'ID', about: 'of this generation, pdf_…' },
  status: { value: 'STATUS', about: DeliveryStatus.enum.join(', '), read: readStatus },
  since: time('scheduled at this time or later'),
  until: time('scheduled before this time'),
  ...last,
} as const

type Filters = Partial<Values<typeof filters>>

export const listDeliveries = defineCommand({
  name: 'deliveries list',
  summary: 'list webhook deliveries',
  options: filters,
  async run({ openStore, print }, { json, ...filter }) {
    for (const delivery of await find(await openStore(), filter)) {
      print(json ? JSON.stringify(delivery) : lineOf(delivery))
    }
  },
})

export const showDelivery = defineCommand({
  name: 'deliveries show',
  argument: one('msg id'),
  summary: 'print a webhook delivery with every attempt',
  async run({ openStore, print }, { argument: id, json }) {
    const record = await readDeliveryRecord(await openStore(), id)
    const delivery = record && shown(record)
    if (!delivery) throw deliveryNotFound(id)
    if (json) return print(JSON.stringify(delivery))
    print(lineOf(delivery))
    for (const { attempt, at, status, error, duration_ms, response } of delivery.attempts) {
      print(
        `  ${attempt}  ${at}  ${status ?? error}  ${duration_ms} ms${response ? `  ${JSON.stringify(response)}` : ''}`,
      )
    }
    if (delivery.next_attempt_at) print(`  next attempt at ${delivery.next_attempt_at}`)
    if (delivery.reason) print(`  ended: ${delivery.reason}`)
  },
})

export const redeliverDeliveries = defineCommand({
  name: 'deliveries redeliver',
  argument: any('msg id'),
  summary: 'send webhooks again, with the same id and body: the given ones, or those that the options select',
  options: { ...filters, 'all-owners': { about: 'of every owner, instead of --owner' }, ...dryRun },
  notes: ['A range of time needs --owner or --all-owners, and sends those that have failed (--status exhausted).'],
  async run({ openStore, print }, { argument, json, 'all-owners': allOwners, 'dry-run': isDryRun, ...filter }) {
    const isRange = allOwners || isAnyGiven(filter)
    if (isRange === argument.length > 0) throw new UsageError('expected delivery ids, or --generation or --since')
    const { owner, generation, status = generation === undefined ? 'exhausted' : undefined } = filter
    if (allOwners && owner !== undefined) throw new UsageError('--owner and --all-owners exclude each other')
    if (isRange && !allOwners && owner === undefined && generation === undefined)
      throw new UsageError('add --owner OWNER, or --all-owners for the webhooks of every owner')
    const store = await openStore()
    const ids = isRange ? (await find(store, { ...filter, status })).map(({ id }) => id) : argument
    const metadata = operatorMetadata()
    const changed = isDryRun ? withoutAppends(store) : store
    for (const id of ids) {
      await redeliver(changed, id, { metadata, now: Date.now })
      if (json) print(JSON.stringify({ id, due: !isDryRun, ...(isDryRun && { dry_run: true }) }))
      else print(`${id} ${isDryRun ? 'would be sent again' : 'is due now'}`)
    }
    if (!json && ids.length === 0) print('no deliveries')
  },
})

/** Oldest first. */
async function find(store: EventStore, filter: Filters): Promise<Delivery[]> {
  const { owner, generation, status, since, until } = filter
  const ownerId = owner === undefined ? undefined : await findOwner(store, owner)
  /** Checks fields that never change, so that unwanted deliveries are not kept in memory. */
  const isWanted = ({ state, createdAt }: DeliveryRecord) =>
    state.status !== 'absent' &&
    (ownerId === undefined || state.delivery.owner_id === ownerId) &&
    (generation === undefined || state.delivery.generation_id === generation) &&
    isWithin({ since, until }, createdAt)
  const records = new Map<string, DeliveryRecord>()
  for await (const event of history(store, { categories: ['delivery'] })) {
    const record = evolveDeliveryRecord(records.get(event.stream), event)
    if (isWanted(record)) records.set(event.stream, record)
  }
  const found = [...records.values()]
    .filter(({ state }) => status === undefined || state.status === status)
    .flatMap((record) => shown(record) ?? [])
  return newest(found, filter.last)
}

/**
 * The delivery without the tokens of its URL, also in the answer of the receiver: terminals and journals keep what is
 * printed.
 */
function shown(record: DeliveryRecord): Delivery | undefined {
  const delivery = deliveryBody(record)
  if (!delivery) return undefined
  const attempts = delivery.attempts.map(({ response, ...attempt }) => ({
    ...attempt,
    ...(response !== undefined && { response: redactResponse(response) }),
  }))
  return redactAll({ ...delivery, attempts })
}

function readStatus(text: string, option: string): DeliveryStatus {
  const status = DeliveryStatus.enum.find((known) => known === text)
  if (status === undefined) throw new UsageError(`${option} must be ${DeliveryStatus.enum.join(', ')}`)
  return status
}

function lineOf({ id, generation_id, batch_id, type, status, created_at, attempts, url }: Delivery): string {
  const last = attempts.at(-1)
  const answer = last ? (last.status ?? last.error) : 'not attempted'
  return [created_at, id, generation_id ?? batch_id, type, status, `${attempts.length} attempts`, answer, url].join(
    '  ',
  )
}
