import { createHash } from 'node:crypto'
import { isPartialName, type Partial, partialIdPattern } from '@platen/domain/partial/partial.ts'
import type { PartialEvent } from '@platen/domain/partial/partial-events.ts'
import { partialId, partialStream } from '@platen/domain/partial/read-partial.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { evolvePartialRecord, type PartialRecord, partialOf } from '../views/partial-record.ts'
import type { PartialView } from '../views/partial-view.ts'
import type { PublishedEvents } from '../views/published-events.ts'
import { timeOf } from '../views/time-of.ts'

/** Partials as they are now, like CurrentTemplates. Throws DependencyUnavailable. */
export interface CurrentPartials {
  /** Undefined for an unknown or deleted partial, and for that of another owner. */
  find(idOrName: string, ownerId: string): Promise<Partial | undefined>
  /** The partial at a revision of its stream; undefined if it did not exist then, or is another owner's. */
  at(id: string, revision: number, ownerId: string): Promise<Partial | undefined>
  /** A version; undefined if there is none, or the partial was deleted in it. */
  version(idOrName: string, ownerId: string, version: number): Promise<Partial | undefined>
  /** The versions of a partial, newest first and also of a deleted one; undefined if there was none. */
  versions(
    idOrName: string,
    ownerId: string,
    page: { before: number | undefined; limit: number },
  ): Promise<ListedVersion[] | undefined>
}

/** A version that begins with a creation, a change or a deletion. A deleted one has no source. */
export interface ListedVersion {
  version: number
  status: 'active' | 'deleted'
  created_at: string
  html_sha256?: string
}

export interface CurrentPartialsOptions {
  view: PartialView
  store: StreamReader
  published: PublishedEvents
}

/** The id derives from owner and name, so that no name needs to be looked for. Undefined if there can be no such partial. */
export function partialIdOf(idOrName: string, ownerId: string): string | undefined {
  if (partialIdPattern.test(idOrName)) return idOrName
  return isPartialName(idOrName) ? partialId(ownerId, idOrName) : undefined
}

export function currentPartials({ view, store, published }: CurrentPartialsOptions): CurrentPartials {
  /** The events after those of the view. */
  const read = async (
    id: string,
    viewed: PartialRecord | undefined,
    to?: number,
  ): Promise<PartialRecord | undefined> => {
    let record = viewed
    const from = viewed === undefined ? 0 : viewed.revision + 1
    if (to !== undefined && from > to) return record
    const options = to === undefined ? { from } : { from, limit: to + 1 - from }
    for await (const event of store.readStream(partialStream(id), options)) record = evolvePartialRecord(record, event)
    return record
  }
  const current = async (id: string): Promise<PartialRecord | undefined> => {
    const viewed = view.record(id)
    try {
      return await read(id, viewed)
    } catch (err) {
      if (!(err instanceof DependencyUnavailable) || viewed === undefined) throw err
      const newest = await published.newestOf('partial', id)
      if (newest !== undefined && newest.revision > viewed.revision) throw err
      return viewed
    }
  }

  const at = async (id: string, revision: number, ownerId: string) => {
    const viewed = view.record(id)
    const record = await read(id, viewed && viewed.revision <= revision ? viewed : undefined, revision)
    return record?.revision === revision && own(record, ownerId) ? partialOf(record) : undefined
  }

  return {
    async find(idOrName, ownerId) {
      const id = partialIdOf(idOrName, ownerId)
      const record = own(id && (await current(id)), ownerId)
      return record && partialOf(record)
    },
    at,
    async version(idOrName, ownerId, version) {
      const id = partialIdOf(idOrName, ownerId)
      return id === undefined ? undefined : at(id, version - 1, ownerId)
    },
    async versions(idOrName, ownerId, { before, limit }) {
      const id = partialIdOf(idOrName, ownerId)
      if (id === undefined || !own(await current(id), ownerId)) return undefined
      if (before === 1) return []
      const from = before === undefined ? 'end' : before - 2
      const versions: ListedVersion[] = []
      for await (const event of store.readStream(partialStream(id), { from, backwards: true, limit })) {
        versions.push(versionOf(event))
      }
      return versions
    },
  }
}

function versionOf(event: StoredEvent): ListedVersion {
  const { type, data } = domainEvent<PartialEvent>(event)
  const html = type === 'PartialCreated' || type === 'PartialUpdated' ? data.html : undefined
  return {
    version: event.revision + 1,
    status: type === 'PartialDeleted' ? 'deleted' : 'active',
    created_at: timeOf(event),
    ...(html !== undefined && { html_sha256: createHash('sha256').update(html).digest('hex') }),
  }
}

function own(record: PartialRecord | '' | undefined, ownerId: string): PartialRecord | undefined {
  return record && record.state.status !== 'absent' && record.state.ownerId === ownerId ? record : undefined
}
