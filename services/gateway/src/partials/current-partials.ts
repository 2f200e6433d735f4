import { createHash } from 'node:crypto'
import { isPartialName, type Partial, partialIdPattern } from '@platen/domain/partial/partial.ts'
import type { PartialEvent } from '@platen/domain/partial/partial-events.ts'
import { partialStream } from '@platen/domain/partial/partial-events.ts'
import { partialId } from '@platen/domain/partial/read-partial.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { eventTime } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { currentRecords } from '../views/current-records.ts'
import { partialFold, partialOf } from '../views/partial-record.ts'
import type { PartialView } from '../views/partial-view.ts'
import type { PublishedEvents } from '../views/published-events.ts'
import { type VersionRange, versionPage } from '../views/version-page.ts'
import type { Page } from '../views/view.ts'

/** Partials as they are now, see CurrentRecords. Throws DependencyUnavailable. */
export interface CurrentPartials {
  /** Undefined for an unknown or deleted partial, and for that of another owner. */
  find(idOrName: string, ownerId: string): Promise<Partial | undefined>
  /** The partial at a revision of its stream; undefined if it did not exist then, or is another owner's. */
  at(id: string, revision: number, ownerId: string): Promise<Partial | undefined>
  /** A version; undefined if there is none, or the partial was deleted in it. */
  version(idOrName: string, ownerId: string, version: number): Promise<Partial | undefined>
  /** The versions of a partial, newest first and also of a deleted one; undefined if there was none. */
  versions(idOrName: string, ownerId: string, range: VersionRange): Promise<Page<ListedVersion> | undefined>
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

/**
 * The id of a partial, derived from owner and name, so that no lookup is needed. Undefined if no partial can have it.
 */
export function partialIdOf(idOrName: string, ownerId: string): string | undefined {
  if (partialIdPattern.test(idOrName)) return idOrName
  return isPartialName(idOrName) ? partialId(ownerId, idOrName) : undefined
}

export function currentPartials({ view, store, published }: CurrentPartialsOptions): CurrentPartials {
  const records = currentRecords({ category: 'partial', view, fold: partialFold, store, published })
  const find = async (idOrName: string, ownerId: string) => {
    const id = partialIdOf(idOrName, ownerId)
    return id === undefined ? undefined : records.find(id, ownerId)
  }
  const at = async (id: string, revision: number, ownerId: string) => {
    const record = await records.at(id, revision)
    const isOwn = record && record.state.status !== 'absent' && record.state.ownerId === ownerId
    return isOwn && record.revision === revision ? partialOf(record) : undefined
  }
  return {
    async find(idOrName, ownerId) {
      const record = await find(idOrName, ownerId)
      return record && partialOf(record)
    },
    at,
    async version(idOrName, ownerId, version) {
      const id = partialIdOf(idOrName, ownerId)
      return id === undefined ? undefined : at(id, version - 1, ownerId)
    },
    async versions(idOrName, ownerId, range) {
      const record = await find(idOrName, ownerId)
      return record && versionPage(store, partialStream(record.id), { ...range, versionOf })
    },
  }
}

function versionOf(stored: StoredEvent): ListedVersion {
  const event = domainEvent<PartialEvent>(stored)
  const version = stored.revision + 1
  const created_at = eventTime(stored)
  switch (event.type) {
    case 'PartialCreated':
    case 'PartialUpdated': {
      const html_sha256 = createHash('sha256').update(event.data.html).digest('hex')
      return { version, status: 'active', created_at, html_sha256 }
    }
    case 'PartialDeleted':
      return { version, status: 'deleted', created_at }
    case '$unreadable':
      return { version, status: 'active', created_at }
  }
}
