import { type SlugEvent, slugStream } from '@platen/domain/template/slug-events.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { PublishedEvents } from '../views/published-events.ts'
import { evolveTemplateRecord, type TemplateRecord, templateOf } from '../views/template-record.ts'
import type { TemplateView } from '../views/template-view.ts'

/**
 * Templates as they are now. The view of a gateway lags behind the log, so the events that it lacks are read from the
 * template's stream: a change that any gateway has acknowledged is seen. While the event store does not answer, a
 * template of the view is returned if no later change of it was published. Throws DependencyUnavailable.
 */
export interface CurrentTemplates {
  /** Undefined for an unknown or deleted template, and for that of another owner. */
  find(idOrSlug: string, ownerId: string): Promise<Template | undefined>
  /** The record of a template, also of a deleted one by its id; undefined for an unknown one and that of another owner. */
  record(idOrSlug: string, ownerId: string): Promise<TemplateRecord | undefined>
  /** The template at a revision of its stream; undefined if it was deleted then. */
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
  const streamOf = (id: string) => `template-${id}`

  /** Of any owner. The view is used for this owner's only, so that another's takes the same way as an unknown id. */
  const current = async (id: string, ownerId: string): Promise<TemplateRecord | undefined> => {
    const viewed = ownRecord(view.record(id), ownerId)
    try {
      let record = viewed
      const from = viewed === undefined ? 'start' : viewed.revision + 1
      for await (const event of store.readStream(streamOf(id), { from })) record = evolveTemplateRecord(record, event)
      return record
    } catch (err) {
      if (!(err instanceof DependencyUnavailable) || viewed === undefined) throw err
      const newest = await published.newestOf('template', id)
      if (newest !== undefined && newest.revision > viewed.revision) throw err
      return viewed
    }
  }
  const active = async (id: string, ownerId: string) => {
    const record = ownRecord(await current(id, ownerId), ownerId)
    return record && templateOf(record)
  }
  const holderOf = async (name: string, ownerId: string): Promise<string | undefined> => {
    for await (const event of store.readStream(slugStream(ownerId, name), { backwards: true, limit: 20 })) {
      const { type, data } = domainEvent<SlugEvent>(event)
      if (type === 'SlugReserved') return data.template_id
      if (type === 'SlugReleased') return undefined
    }
    return undefined
  }

  const find = async (idOrSlug: string, ownerId: string) => {
    if (templateId.test(idOrSlug)) return active(idOrSlug, ownerId)
    if (!slug.test(idOrSlug)) return undefined
    const viewed = view.find(idOrSlug, ownerId)
    // A template keeps its slug until it is deleted.
    const found = viewed && (await active(viewed.id, ownerId))
    if (found) return found
    const holder = await holderOf(idOrSlug, ownerId)
    return holder === undefined || holder === viewed?.id ? undefined : active(holder, ownerId)
  }

  return {
    find,
    async record(idOrSlug, ownerId) {
      const id = templateId.test(idOrSlug) ? idOrSlug : (await find(idOrSlug, ownerId))?.id
      return id === undefined ? undefined : ownRecord(await current(id, ownerId), ownerId)
    },
    async at(id, revision) {
      const viewed = view.record(id)
      let record = viewed && viewed.revision <= revision ? viewed : undefined
      const from = record === undefined ? 0 : record.revision + 1
      if (from <= revision) {
        const options = { from, limit: revision + 1 - from }
        for await (const event of store.readStream(streamOf(id), options)) record = evolveTemplateRecord(record, event)
      }
      return record && templateOf(record)
    },
  }
}

function ownRecord(record: TemplateRecord | undefined, ownerId: string): TemplateRecord | undefined {
  return record?.state.status !== 'absent' && record?.state.ownerId === ownerId ? record : undefined
}
