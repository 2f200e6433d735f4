import { createHash, randomUUID } from 'node:crypto'
import { apiKeyStream } from '@platen/domain/api-key/api-key-events.ts'
import { issueApiKey, newApiKey, rotateApiKey } from '@platen/domain/api-key/api-keys.ts'
import { type AssetEvent, type AssetStored, assetStream } from '@platen/domain/asset/asset-events.ts'
import { AssetLibraries, changeAssets } from '@platen/domain/asset/asset-libraries.ts'
import { AssetLibrary } from '@platen/domain/asset/asset-library.ts'
import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { endpointDecider } from '@platen/domain/delivery/decide-endpoint.ts'
import { deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import { readDeliveryRecord } from '@platen/domain/delivery/delivery-record.ts'
import { endpointStream } from '@platen/domain/delivery/endpoint-events.ts'
import { redeliver } from '@platen/domain/delivery/redeliver.ts'
import { ownerStream } from '@platen/domain/owner/owner-events.ts'
import { changeOwner, createOwner, readOwner } from '@platen/domain/owner/owners.ts'
import { partialStream } from '@platen/domain/partial/partial-events.ts'
import { readPartial } from '@platen/domain/partial/read-partial.ts'
import { shownPartialDecider } from '@platen/domain/partial/shown-partial.ts'
import { labelDecider } from '@platen/domain/template/decide-labels.ts'
import { labelStream } from '@platen/domain/template/label-state.ts'
import { shownTemplateDecider } from '@platen/domain/template/shown-template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { fill } from './fill.ts'

/** Reads or changes an aggregate once more. */
type Operation = (store: EventStore, nth: number) => Promise<unknown>

/** An aggregate of which the stream becomes long. */
export interface StreamCase {
  name: string
  /** The lengths that are compared, in events. */
  lengths: readonly [short: number, long: number]
  /** Records a stream of this length. The names of the operations are the same for each length. */
  open(store: EventStore, length: number): Promise<Record<string, Operation>>
}

const owner_id = 'own_default'
const at = '2026-01-31T12:00:00.000Z'
const lengths = [50, 5_000] as const
const source = 'A line of a template with a {{name}}, and words.\n'.repeat(200)
const metadata = operatorMetadata

const template: StreamCase = {
  name: 'template',
  lengths,
  async open(store, length) {
    const template_id = `tpl_${length}`
    const stream = templateStream(template_id)
    const content = { owner_id, name: 'Invoice', slug: `invoice-${length}` }
    await fill(store, stream, length, (nth) => {
      const data = { ...content, html: `${source}${nth}` }
      if (nth === 0) return { type: 'TemplateCreated', data }
      return { type: 'TemplateUpdated', data: { ...data, created_at: at, changed: ['html'] } }
    })
    return {
      change: (store, nth) => {
        const data = { template_id, owner_id, changes: { html: `${source}change ${nth}` } }
        const command = { type: 'UpdateTemplate' as const, data, metadata: metadata() }
        return handleCommand({ store, decider: shownTemplateDecider, stream, command, once: true })
      },
      'read a version in the middle': (store) => load(store, shownTemplateDecider, stream, { version: length / 2 }),
    }
  },
}

const labels: StreamCase = {
  name: 'labels of a template',
  lengths,
  async open(store, length) {
    const template_id = `tpl_${length}`
    const stream = labelStream(template_id)
    await fill(store, stream, length, (nth) => {
      return { type: 'TemplateLabelSet', data: { label: 'live', version: nth + 1, labels: { live: nth + 1 } } }
    })
    return {
      change: (store, nth) => {
        const data = { template_id, owner_id, label: 'live', version: 10_000 + nth }
        const command = { type: 'SetTemplateLabel' as const, data, metadata: metadata() }
        return handleCommand({ store, decider: labelDecider, stream, command, once: true })
      },
    }
  },
}

const partial: StreamCase = {
  name: 'partial',
  lengths,
  async open(store, length) {
    const partial_id = `prt_${length}`
    const stream = partialStream(partial_id)
    await fill(store, stream, length, (nth) => {
      const data = { owner_id, name: 'head', html: `${source}${nth}` }
      return nth === 0
        ? { type: 'PartialCreated', data }
        : { type: 'PartialUpdated', data: { ...data, created_at: at } }
    })
    return {
      change: (store, nth) => {
        const data = { partial_id, owner_id, html: `${source}change ${nth}` }
        const command = { type: 'UpdatePartial' as const, data, metadata: metadata() }
        return handleCommand({ store, decider: shownPartialDecider, stream, command, once: true })
      },
      'read for a document': (store) => readPartial(store, partial_id),
    }
  },
}

/** Uploads to 200 names. Of a library with fewer, less would be read. */
const assets: StreamCase = {
  name: 'asset library',
  lengths: [400, 20_000],
  async open(store, length) {
    const ownerId = `own_${length}`
    const stored = (library: AssetLibrary, nth: number): AssetStored => {
      const name = `picture-${nth % 200}.png`
      const sha256 = createHash('sha256').update(`${nth}`).digest('hex')
      const content = { sha256, object: sha256.slice(0, 16), type: 'image/png', bytes: 1_000 }
      return { type: 'AssetStored', data: { name, version: library.nextVersion(name), created_at: at, ...content } }
    }
    const library = new AssetLibrary()
    let nth = 0
    const next = (): AssetEvent => (library.isListingDue ? library.listing() : stored(library, nth++))
    await fill(store, assetStream(ownerId), length, (revision) => {
      const event = next()
      library.apply(event, { revision, time: at })
      return event
    })
    // What a process keeps in memory, whichever store counts its reads.
    let read = store
    const libraries = new AssetLibraries({ readStream: (...args) => read.readStream(...args) })
    return {
      change: (store, nth) => {
        read = store
        const decide = (library: AssetLibrary) => stored(library, length + nth)
        return changeAssets({ store, libraries, ownerId, metadata: metadata(), decide })
      },
      'read by a new process': (store) => new AssetLibraries(store).of(ownerId),
    }
  },
}

/** The changes that leave a snapshot: those before them are of a version without. */
const withSnapshots = 100

/** Fills a stream, of which the last events are changes by commands. */
async function fillAndChange(
  store: EventStore,
  { stream, length, from = 0 }: { stream: string; length: number; from?: number },
  eventOf: Parameters<typeof fill>[3],
  change: Operation,
): Promise<void> {
  const filled = Math.max(1, length - withSnapshots)
  await fill(store, stream, filled, eventOf, from)
  for (let nth = filled; nth < length; nth++) await change(store, nth)
}

const owner: StreamCase = {
  name: 'owner',
  lengths,
  async open(store, length) {
    const id = await createOwner(store, 'Acme')
    const change: Operation = (store) => changeOwner(store, id, { type: 'RotateOwnerWebhookSecret', data: { at } })
    const rotated = (nth: number) => ({ type: 'OwnerWebhookSecretRotated', data: { version: nth + 1, rotated_at: at } })
    await fillAndChange(store, { stream: ownerStream(id), length, from: 1 }, rotated, change)
    return { change, 'read for a webhook': (store) => readOwner(store, id) }
  },
}

const apiKey: StreamCase = {
  name: 'API key',
  lengths,
  async open(store, length) {
    const id = await issueApiKey(store, { key: newApiKey(), name: 'shop', scopes: ['generate'] })
    const change: Operation = (store) => rotateApiKey(store, id)
    const rotated = (nth: number) => ({ type: 'ApiKeyRotated', data: { sha256: `${nth}`, prefix: 'pk_abcd' } })
    await fillAndChange(store, { stream: apiKeyStream(id), length, from: 1 }, rotated, change)
    return { change }
  },
}

const endpoint: StreamCase = {
  name: 'webhook URL',
  lengths,
  async open(store, length) {
    const stream = endpointStream(`end_${length}`)
    const disabled = { owner_id, url: 'https://hooks.example.com/', reason: 'gone' as const, delivery_id: 'msg_1' }
    await fill(store, stream, length, (nth) => {
      return nth % 2 === 0
        ? { type: 'EndpointDisabled', data: disabled }
        : { type: 'EndpointEnabled', data: { delivery_id: 'msg_1' } }
    })
    return {
      change: (store, nth) => {
        const command = nth % 2 === 0 ? ({ type: 'DisableEndpoint', data: disabled } as const) : enable
        return handleCommand({ store, decider: endpointDecider, stream, command: { ...command, metadata: metadata() } })
      },
    }
  },
}
const enable = { type: 'EnableEndpoint', data: { delivery_id: 'msg_1' } } as const

const url = 'https://hooks.example.com/'

/** Records a delivery that was sent again, and resolves to another redelivery. */
async function openDelivery(store: EventStore, length: number, id: string): Promise<Operation> {
  const body = JSON.stringify({ type: 'generation.completed', data: { id: randomUUID() } })
  const ids = { generation_id: 'pdf_1', owner_id, api_key_id: 'key_1', event_id: randomUUID() }
  const again: Operation = (store) => redeliver(store, id, { metadata: metadata(), now: Date.now })
  const recorded = (nth: number) => {
    if (nth === 0) return { type: 'DeliveryScheduled', data: { ...ids, url, body, next_at: at } }
    return { type: 'DeliveryRescheduled', data: { url, attempt: nth + 1, next_at: at } }
  }
  await fillAndChange(store, { stream: deliveryStream(id), length }, recorded, again)
  return again
}

const delivery: StreamCase = {
  name: 'webhook that is sent again',
  lengths,
  async open(store, length) {
    const id = `msg_${length}`
    const change = await openDelivery(store, length, id)
    return { change, 'read for an attempt': (store) => load(store, deliveryDecider, deliveryStream(id)) }
  },
}

/** A shorter stream has fewer attempts to show. */
const shownDelivery: StreamCase = {
  name: 'webhook with its attempts',
  lengths: [400, 5_000],
  async open(store, length) {
    const id = `msg_shown_${length}`
    await openDelivery(store, length, id)
    return { show: (store) => readDeliveryRecord(store, id) }
  },
}

export const streamCases: readonly StreamCase[] = [
  ...[template, labels, partial, assets, owner, apiKey, endpoint, delivery, shownDelivery],
]
