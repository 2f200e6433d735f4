import type { Status } from '@platen/domain/status/status.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { gatherStatus, type StatusSources } from '@platen/service-kit/status/gather.ts'
import { StatusMemory } from '@platen/service-kit/status/status-memory.ts'
import type { ServerEvent } from '../event-streams/watch.ts'
import { deploymentStatus } from './deployment-status.ts'
import { type OwnerStatusOptions, ownerStatus } from './owner-status.ts'
import { SharedValue } from './shared-value.ts'

/** Of the deployment, and of an owner. */
export const statusEveryMs = 1_000

const mostOwners = 1_000
/** Figures that change all the time are no news. */
const changesAlone = new Set(['at', 'seen_at'])
/** In a step of this size they are. */
const stepBytes = 64 * 2 ** 20

/** A status, with what listeners need of it: made once for all of them. */
export interface SharedStatus {
  status: Status
  event: ServerEvent
}

export type StatusesOptions = OwnerStatusOptions & { sources: StatusSources }

/** The statuses that requests ask for. Nothing is computed while nobody asks. */
export class Statuses {
  readonly #options: StatusesOptions
  readonly #memory = new StatusMemory()
  readonly #ofDeployment: SharedValue<SharedStatus>
  readonly #ofOwners = new LruCache<SharedValue<SharedStatus>>({
    maxCount: mostOwners,
    maxWeight: Number.POSITIVE_INFINITY,
  })

  constructor(options: StatusesOptions) {
    this.#options = options
    this.#ofDeployment = new SharedValue(async () => shared(await this.#deployment()), statusEveryMs)
  }

  /** `ownerId`: of that owner alone. */
  of(ownerId: string | undefined): SharedValue<SharedStatus> {
    if (ownerId === undefined) return this.#ofDeployment
    const known = this.#ofOwners.get(ownerId)
    if (known) return known
    const made = new SharedValue(async () => shared(await ownerStatus(this.#options, ownerId)), statusEveryMs)
    this.#ofOwners.set(ownerId, made)
    return made
  }

  async #deployment(): Promise<Status> {
    const { generations, sources } = this.#options
    const report = await gatherStatus(sources, this.#memory)
    const { completed, failed, cancelled } = generations.endedInLast(10, {})
    return deploymentStatus({
      report,
      lastHour: generations.endedInLast(60, {}),
      endedLately: { all: completed + failed + cancelled, failed },
    })
  }
}

/** `state`: what is news to a listener. */
export function statusEvent(status: Status): ServerEvent {
  const state = JSON.stringify(status, (name, value) => {
    if (changesAlone.has(name)) return undefined
    return name.endsWith('_bytes') && typeof value === 'number' ? Math.round(value / stepBytes) : value
  })
  return { name: 'status', data: JSON.stringify(status), state }
}

const shared = (status: Status): SharedStatus => ({ status, event: statusEvent(status) })
