import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiKey } from '@platen/domain/api-key/api-key.ts'
import { type AssetEvent, assetStream } from '@platen/domain/asset/asset-events.ts'
import { AssetLibrary } from '@platen/domain/asset/asset-library.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import type { Owner } from '@platen/domain/owner/owner.ts'
import type { Partial } from '@platen/domain/partial/partial.ts'
import { partialStream } from '@platen/domain/partial/partial-events.ts'
import { shownPartialDecider } from '@platen/domain/partial/shown-partial.ts'
import { templateDecider } from '@platen/domain/template/decide-template.ts'
import { slugStream } from '@platen/domain/template/slug-events.ts'
import { slugCandidate, slugify } from '@platen/domain/template/slugify.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { Decider, Unreadable } from '@platen/event-store/decider.ts'
import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import { domainEvent, load } from '@platen/event-store/handle-command.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { Client, WriteOf } from '../client.ts'
import type { Cost } from '../evidence.ts'
import type { Door, System } from '../system.ts'
import { isBounded } from './checks.ts'

const versions = 200
const html = (text: string) => `<p>${text}${'<br>'.repeat(2_500)}`
const uploads = 2_000
const equalNames = 300
const appendedAtOnce = 50
/** Events recorded shortly before a command may belong to the command itself, and are read. */
const recentMs = 6_000
/** A real server may send something of its own all the time. */
const quietWithinMs = 10_000

/**
 * Measures the cost of requests on old aggregates and on new ones: templates and partials with many versions, an owner
 * with many uploads, a name that many templates have. The histories are written into the event store directly, which is
 * faster than by requests. Nothing else may run. Empty if no connection to the event store can be counted.
 */
export async function measureCosts(client: Client, system: System): Promise<Cost[]> {
  const links = system.targets.flatMap(({ links }) => links.events ?? [])
  const [gateway] = client.gateways
  if (links.length === 0 || !gateway) return []
  const { store } = await system.stores()
  const bytes = () => links.reduce((sum, link) => sum + link.bytes, 0)
  const quiet = async () => {
    for (let before = -1, calm = 0, until = Date.now() + quietWithinMs; calm < 2 && Date.now() < until; ) {
      const now = bytes()
      calm = now === before ? calm + 1 : 0
      before = now
      await delay(150)
    }
  }
  const ages = ['young', 'old'] as const
  type Act = (age: (typeof ages)[number], nth: number) => Promise<unknown>
  const measure = async (what: string, act: Act): Promise<Cost> => {
    const cost = { what, young: Number.POSITIVE_INFINITY, old: Number.POSITIVE_INFINITY }
    // Again, if something else may have come between.
    for (let nth = 1; nth === 1 || (nth === 2 && !isBounded(cost)); nth++) {
      for (const age of ages) {
        await quiet()
        const before = bytes()
        await act(age, nth)
        await quiet()
        cost[age] = Math.min(cost[age], bytes() - before)
      }
    }
    return cost
  }

  const one = {
    templates: new Map<string, string>(),
    partials: new Map<string, string>(),
    keys: new Map<string, string>(),
  }
  for (const age of ages) {
    one.templates.set(age, await createTemplate(client, gateway, `Template that is ${age}`))
    one.partials.set(age, await createPartial(client, gateway, `${age}${client.seed}`))
    // No process has read the library of the second one when the first has been.
    for (const nth of [1, 2]) {
      const owner = await ownerWithAsset(client, gateway, `Owner ${nth} that is ${age}`)
      one.keys.set(`${age} ${nth}`, owner.key)
      if (age === 'old') await growLibrary(store, owner.id)
    }
  }
  const template = (age: string) => one.templates.get(age) ?? ''
  const id = template('old')
  await grow(client, store, {
    decider: templateDecider,
    stream: templateStream(id),
    operation: 'updateTemplate',
    subject: id,
    command: (text) => {
      return {
        type: 'UpdateTemplate' as const,
        data: { template_id: id, owner_id: defaultOwnerId, changes: { html: text } },
      }
    },
  })
  const partial_id = one.partials.get('old') ?? ''
  await grow(client, store, {
    decider: shownPartialDecider,
    stream: partialStream(partial_id),
    operation: 'updatePartial',
    subject: partial_id,
    command: (text) => ({ type: 'UpdatePartial' as const, data: { partial_id, owner_id: defaultOwnerId, html: text } }),
  })
  await reserveNames(store, nameOf('old', client.seed))
  await delay(recentMs)

  const costs = [
    await measure('a template of a name', (age, nth) =>
      createTemplate(client, gateway, nameOf(age, client.seed), { source: `<p>${age} ${nth} ${client.seed}` }),
    ),
    await measure('a change of a template', (age, nth) => changeTemplate(client, gateway, template(age), nth)),
    await measure('a version of a template', (age) =>
      client.send(gateway, {
        operation: 'getTemplateVersion',
        path: `/v1/templates/${template(age)}/versions/${inTheMiddle(age)}`,
        expected: [200],
      }),
    ),
    await measure('a label of a template', (age, nth) =>
      setLabel(client, gateway, template(age), inTheMiddle(age) + nth - 1),
    ),
    await measure('a change of a partial', (age, nth) => changePartial(client, gateway, `${age}${client.seed}`, nth)),
    await measure('a template with an asset', (age, nth) => {
      const headers = { authorization: `Bearer ${one.keys.get(`${age} ${nth}`)}` }
      const source = `<img src="asset:logo.svg"><p>${age} ${nth}`
      return createTemplate(client, gateway, `With an asset ${age} ${nth}`, { headers, source })
    }),
  ]
  return costs
}

/** A version that has as many before it as there may be. */
const inTheMiddle = (age: string) => (age === 'old' ? versions / 2 : 1)
const nameOf = (age: string, seed: number) => `Name that is ${age} ${seed}`

type Change = Pick<WriteOf, 'headers'> & { source?: string }

async function createTemplate(client: Client, gateway: Door, name: string, change: Change = {}) {
  const { source = html(name), ...rest } = change
  const { body } = await client.write<Template>(gateway, {
    operation: 'createTemplate',
    path: '/v1/templates',
    body: { name, html: source },
    expected: [201],
    subject: name,
    sent: { html: source, name },
    ...rest,
  })
  return body?.id ?? ''
}

const changeTemplate = (client: Client, gateway: Door, subject: string, nth: number) => {
  const changed = html(`Change ${nth} of ${subject}`)
  return client.write(gateway, {
    operation: 'updateTemplate',
    path: `/v1/templates/${subject}`,
    method: 'PATCH',
    body: { html: changed },
    expected: [200],
    subject,
    sent: { html: changed },
  })
}

const setLabel = (client: Client, gateway: Door, subject: string, version: number) =>
  client.write(gateway, {
    operation: 'setTemplateLabel',
    path: `/v1/templates/${subject}/labels/first`,
    method: 'PUT',
    body: { version },
    expected: [200],
    subject,
    sent: { label: 'first', version },
  })

async function createPartial(client: Client, gateway: Door, name: string) {
  const source = html(name)
  const { body } = await client.write<Partial>(gateway, {
    operation: 'createPartial',
    path: '/v1/partials',
    body: { name, html: source },
    expected: [201],
    subject: name,
    sent: { html: source, name },
  })
  return body?.id ?? ''
}

const changePartial = (client: Client, gateway: Door, subject: string, nth: number) => {
  const changed = html(`Change ${nth} of ${subject}`)
  return client.write(gateway, {
    operation: 'updatePartial',
    path: `/v1/partials/${subject}`,
    method: 'PATCH',
    body: { html: changed },
    expected: [200],
    subject,
    sent: { html: changed },
  })
}

async function ownerWithAsset(client: Client, gateway: Door, name: string): Promise<{ id: string; key: string }> {
  const { body: owner } = await client.write<Owner>(gateway, {
    operation: 'createOwner',
    path: '/v1/owners',
    body: { name },
    expected: [201],
    subject: name,
    sent: { name },
  })
  const scopes = ['templates:read', 'templates:write']
  const { body: issued } = await client.write<ApiKey & { key: string }>(gateway, {
    operation: 'issueApiKey',
    path: `/v1/keys?owner=${owner?.id}`,
    body: { name: 'costs', scopes },
    expected: [201],
    subject: owner?.id ?? '',
    sent: { name: 'costs' },
  })
  const authorization = `Bearer ${issued?.key}`
  await client.send(gateway, {
    operation: 'putAsset',
    path: '/v1/assets/logo.svg',
    method: 'PUT',
    expected: [201],
    body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    headers: { authorization, 'content-type': 'image/svg+xml' },
  })
  return { id: owner?.id ?? '', key: issued?.key ?? '' }
}

interface Growing<State, Command, Event> {
  decider: Decider<State, Command, Event>
  stream: string
  operation: string
  subject: string
  command: (html: string) => Command
}

/** Appends versions, as requests of which nobody has got the answer. */
async function grow<State, Command, Event extends { type: string; data: unknown }>(
  client: Client,
  store: EventStore,
  { decider, stream, operation, subject, command }: Growing<State, Command, Event>,
): Promise<void> {
  let { state, revision } = await load(store, decider, stream)
  const events: NewEvent[] = []
  for (let n = 1; n <= versions; n++) {
    const source = html(`Version ${n} of ${subject}`)
    const sentMs = Date.now()
    const unanswered = { gateway: 'none', sentMs, answeredMs: sentMs, status: 'cut' as const, sent: { html: source } }
    client.writes.push({ operation, subject, ...unanswered })
    for (const event of decider.decide(command(source), state)) {
      state = decider.evolve(state, event, { revision: Number(revision) + events.length + 1, time: now() })
      events.push(asNew(event))
    }
  }
  await appendAll(store, stream, events, Number(revision))
}

/** Appends uploads of the bytes that the owner's asset has, with the listings that are due between them. */
async function growLibrary(store: EventStore, ownerId: string): Promise<void> {
  const library = new AssetLibrary()
  const stream = assetStream(ownerId)
  let last: AssetEvent | Unreadable | undefined
  for await (const stored of store.readStream(stream)) {
    last = domainEvent<AssetEvent>(stored)
    library.apply(last, { revision: stored.revision, time: now() })
  }
  // The upload was refused, which is a violation of its own.
  if (last?.type !== 'AssetStored') return
  const { revision } = library
  const events: NewEvent[] = []
  const add = (event: AssetEvent) => {
    events.push(asNew(event))
    library.apply(event, { revision: revision + events.length, time: now() })
  }
  for (let n = 1; n <= uploads; n++) {
    if (library.isListingDue) add(library.listing())
    add({ type: 'AssetStored', data: { ...last.data, version: last.data.version + n } })
  }
  await appendAll(store, stream, events, revision)
}

/** Slugs that were reserved a moment ago, as by templates that are being created. */
async function reserveNames(store: EventStore, name: string): Promise<void> {
  const numbers = Array.from({ length: equalNames }, (_, at) => at + 1).values()
  const reserve = async () => {
    for (const number of numbers) {
      const by = randomUUID()
      const event = { type: 'SlugReserved', data: { template_id: `tpl_${number}`, by } }
      await store.append(slugStream(defaultOwnerId, slugCandidate(slugify(name), number)), [asNew(event)], 'none')
    }
  }
  await Promise.all([reserve(), reserve(), reserve(), reserve()])
}

const now = () => new Date().toISOString()

function asNew({ type, data }: { type: string; data: unknown }): NewEvent {
  const metadata = { time: now(), correlation_id: 'req_history', causation_id: randomUUID() }
  return { id: randomUUID(), type, data: data as Json, metadata }
}

async function appendAll(store: EventStore, stream: string, events: readonly NewEvent[], revision: number) {
  for (let at = 0; at < events.length; at += appendedAtOnce) {
    const [first, ...rest] = events.slice(at, at + appendedAtOnce)
    if (first) await store.append(stream, [first, ...rest], revision + at)
  }
}
