import { slugStream } from '@platen/domain/template/slug-events.ts'
import type { TemplateEvent } from '@platen/domain/template/template-events.ts'
import { absentTemplate, evolveTemplate, type TemplateState } from '@platen/domain/template/template-state.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent, load } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { history, readWhole } from '../../frame/history.ts'

export type ActiveTemplate = Extract<TemplateState, { status: 'active' }> & { id: string }

/** A template as it was from one event to the next. */
export interface Version {
  version: number
  event: StoredEvent
  state: TemplateState
}

/** All templates that are not deleted, of one owner or of all, by slug. */
export async function readTemplates(store: EventStore, ownerId: string | undefined): Promise<ActiveTemplate[]> {
  const states = new Map<string, TemplateState>()
  for await (const event of history(store, { categories: ['template'] })) {
    const id = aggregateIdOf(event.stream)
    states.set(id, evolveTemplate(states.get(id) ?? absentTemplate, domainEvent<TemplateEvent>(event)))
  }
  return [...states]
    .flatMap(([id, state]) => (state.status === 'active' ? [{ id, ...state }] : []))
    .filter((template) => ownerId === undefined || template.ownerId === ownerId)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** Every version, oldest first. Throws if there is no such template. */
export async function readVersions(store: EventStore, idOrSlug: string, ownerId: string): Promise<Version[]> {
  const id = await findTemplate(store, idOrSlug, ownerId)
  let state: TemplateState = absentTemplate
  const versions: Version[] = []
  for (const event of await readWhole(store, `template-${id}`)) {
    state = evolveTemplate(state, domainEvent<TemplateEvent>(event))
    versions.push({ version: event.revision + 1, event, state })
  }
  if (versions.length === 0) throw new Error(`there is no template ${idOrSlug}; see templates list`)
  return versions
}

async function findTemplate(store: EventStore, idOrSlug: string, ownerId: string): Promise<string> {
  if (idOrSlug.startsWith('tpl_')) return idOrSlug
  if (!/^[a-z0-9-]{1,100}$/.test(idOrSlug)) throw new Error(`${idOrSlug} is neither an id (tpl_…) nor a slug`)
  const fold = { initialState: undefined as string | undefined, evolve: heldBy }
  const { state } = await load(store, fold, slugStream(ownerId, idOrSlug))
  if (state === undefined) throw new Error(`there is no template ${idOrSlug}; see templates list`)
  return state
}

function heldBy(held: string | undefined, { type, data }: { type: string; data: unknown }): string | undefined {
  if (type === 'SlugReserved') return (data as { template_id: string }).template_id
  return type === 'SlugReleased' ? undefined : held
}

/** Throws if the template is deleted or had no such version. */
export function versionOf(versions: readonly Version[], number: number): ActiveTemplate {
  const found = versions.find(({ version }) => version === number)
  if (!found) throw new Error(`there is no version ${number}; the newest is ${versions.at(-1)?.version}`)
  if (found.state.status !== 'active') throw new Error(`version ${number} is the deletion of the template`)
  return { id: aggregateIdOf(found.event.stream), ...found.state }
}
