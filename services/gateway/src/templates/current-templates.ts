import { slugDecider } from '@platen/domain/template/slug.ts'
import { type SlugEvent, slugStream } from '@platen/domain/template/slug-events.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { StoreUnavailable } from '@platen/event-store/event-store.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { readBack } from '@platen/event-store/read-back.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { currentRecords } from '../views/current-records.ts'
import type { PublishedEvents } from '../views/published-events.ts'
import { type TemplateRecord, templateFold, templateOf } from '../views/template-record.ts'
import type { TemplateView } from '../views/template-view.ts'
import { noSuchTemplate } from './template-params.ts'

/** Templates as they are now, see CurrentRecords. Throws DependencyUnavailable. */
export interface CurrentTemplates {
  /** Undefined for an unknown or deleted template, and for that of another owner. */
  find(idOrSlug: string, ownerId: string): Promise<Template | undefined>
  /**
   * Throws TEMPLATE_NOT_FOUND. The message says whether a template with this id or slug was deleted, as far as the view knows.
   */
  notFound(idOrSlug: string, ownerId: string): never
  /**
   * The record of a template, by its id also of a deleted one. Undefined if it is unknown or belongs to another owner.
   */
  record(idOrSlug: string, ownerId: string): Promise<TemplateRecord | undefined>
  /** The template at a revision of its stream, which was recorded; undefined if it was deleted then. */
  at(id: string, revision: number): Promise<Template | undefined>
}

export interface CurrentTemplatesOptions {
  view: TemplateView
  store: StreamReader
  published: PublishedEvents
}

const templateId = /^tpl_[0-9a-z]{26}$/
const slug = /^[a-z0-9-]{1,100}$/

export function currentTemplates({ view, store, published }: CurrentTemplatesOptions): CurrentTemplates {
  const records = currentRecords({ category: 'template', view, fold: templateFold, store, published })
  const active = async (id: string, ownerId: string) => shown(await records.find(id, ownerId))
  const holderOf = async (name: string, ownerId: string): Promise<string | undefined> => {
    for await (const stored of readBack(store, slugStream(ownerId, name))) {
      const event = domainEvent<SlugEvent>(stored)
      if (event.type === '$unreadable') continue
      // Each event has the whole state.
      return slugDecider.evolve(slugDecider.initialState, event, placeOf(stored)).heldBy
    }
    return undefined
  }

  const find = async (idOrSlug: string, ownerId: string) => {
    if (templateId.test(idOrSlug)) return active(idOrSlug, ownerId)
    if (!slug.test(idOrSlug)) return undefined
    const viewed = view.idOf(idOrSlug, ownerId)
    // A template keeps its slug until it is deleted.
    const found = viewed && (await active(viewed, ownerId))
    if (found) return found
    const holder = await holderOf(idOrSlug, ownerId)
    return holder === undefined || holder === viewed ? undefined : active(holder, ownerId)
  }

  return {
    find,
    notFound(idOrSlug, ownerId) {
      const byId = templateId.test(idOrSlug) ? view.record(idOrSlug) : undefined
      const isDeleted = byId?.state.status === 'deleted' && byId.state.ownerId === ownerId
      return noSuchTemplate(idOrSlug, isDeleted ? idOrSlug : view.deletedIdOf(idOrSlug, ownerId))
    },
    async record(idOrSlug, ownerId) {
      const id = templateId.test(idOrSlug) ? idOrSlug : (await find(idOrSlug, ownerId))?.id
      return id === undefined ? undefined : records.find(id, ownerId)
    },
    async at(id, revision) {
      const record = await records.at(id, revision)
      // An older version must not be shown as this one.
      if (record?.revision !== revision)
        throw new StoreUnavailable(`The event store lacks revision ${revision} of ${id}`)
      return shown(record)
    },
  }
}

const shown = (record: TemplateRecord | undefined) => record && templateOf(record)
