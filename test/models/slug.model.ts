import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { templateDecider } from '@platen/domain/template/decide-template.ts'
import { slugDecider } from '@platen/domain/template/slug.ts'
import { slugStream } from '@platen/domain/template/slug-events.ts'
import type { TemplateCommand } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { foldOf } from '@platen/event-store/handle-command.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import { handleTemplateCommand } from '../../services/template/src/handlers/handle-template-command.ts'
import { MemoryStore } from './world/memory-store.ts'
import { MessageQueue } from './world/message-queue.ts'
import type { Model } from './world/search.ts'
import { type Budgets, must, type World } from './world/world.ts'

const owner = 'own_default'
const slug = 'invoice'
export const ids = { a: 'tpl_00000000000000000000000001', b: 'tpl_00000000000000000000000002' }
type Id = keyof typeof ids

type Verb = 'create' | 'change' | 'edit' | 'delete' | 'restore'
export type Change = `${Verb} ${Id}`

interface SlugOptions {
  name: string
  budgets: Budgets
  /** Commands that were executed before. */
  before?: readonly Change[]
  /** Commands that are in the queue together. */
  together: readonly Change[]
  redeliveries?: number
  /** The clock may be put forward by so much, once each and at any moment. */
  jumps?: readonly number[]
  wrap?: (store: EventStore, world: World) => EventStore
}

/** Processes of the template service that execute commands of two templates with the same name. */
export function slugModel({
  name,
  budgets,
  before = [],
  together,
  redeliveries,
  jumps = [],
  wrap,
}: SlugOptions): Model {
  return {
    name,
    invariant:
      'No two active templates that were answered share a slug. At the end an active template holds the slug that it has. A command ' +
      'that has made a version is answered with that version, however often it is delivered.',
    budgets,
    async begin(world) {
      const memory = new MemoryStore(world, { hasNoLog: true })
      const store = wrap?.(memory, world) ?? memory
      const answers: string[] = []
      const execute = (change: Change) => executed(store, world, commandOf(world, change))
      await world.prepare(async () => {
        for (const change of before) await execute(change)
      })
      const deadlineMs = world.nowMs + 4_500
      const queue = new MessageQueue<Change>(world, {
        name: (change) => change,
        redeliveries: redeliveries ?? 0,
        handle: async (change) => {
          const answer = await executed(store, world, commandOf(world, change, deadlineMs))
          world.changes('answers')
          for (const id of Object.values(ids)) world.reads(templateStream(id))
          answers.push(`${change}: ${answer}`)
          checkAnswer(memory, change, answer)
        },
      })
      queue.add(...together)
      const left = [...jumps]
      return {
        shared: () => [memory, queue, [...answers].sort(), left],
        actions: () => [
          ...queue.actions(),
          ...left.map((ms) => ({
            label: `the clock goes on by ${ms / 1_000} s`,
            run: () => {
              left.splice(left.indexOf(ms), 1)
              world.advance(ms)
            },
          })),
        ],
        always() {
          const answered = together.filter((change) =>
            answers.some((answer) => answer.startsWith(`${change}: version`)),
          )
          checkShared(memory, { answered, before })
        },
        atEnd() {
          checkShared(memory, { answered: together, before })
          checkHolder(memory)
        },
      }
    },
  }
}

/** A command that is delivered again is answered like the first time, whatever has happened since. */
function checkAnswer(store: MemoryStore, change: Change, answer: string): void {
  const own = store.log.findLast(
    ({ stream, metadata }) => categoryOf(stream) === 'template' && metadata.causation_id === causeOf(change),
  )
  // After its deadline its client has an answer.
  if (!own || answer === 'SERVICE_UNAVAILABLE') return
  // It has found that another template has got the slug, and has taken back what it did.
  if (own.type === 'TemplateDeleted' && !change.startsWith('delete') && answer === 'CONFLICT') return
  const version = `version ${own.revision + 1}`
  must(answer === version, `"${change}" has made ${version} and is answered with ${answer}`)
}

interface Executed {
  answered: readonly Change[]
  before: readonly Change[]
}

/** Until it is answered, a command may find that another template has taken the slug, and undo its change. */
function checkShared(store: MemoryStore, { answered, before }: Executed): void {
  const causes = new Set([...answered.map(causeOf), ...before.map((change) => derivedUuid(change))])
  const active = Object.values(ids).flatMap((id) => {
    const state = stateOf(store, id)
    const begun = store.of(templateStream(id)).findLast(({ type }) => /Created$|Restored$/.test(type))
    const isAnswered = causes.has(`${begun?.metadata.causation_id}`)
    return isAnswered && state.status === 'active' ? [state.slug] : []
  })
  must(new Set(active).size === active.length, `two active templates have the slug ${active[0]}`)
}

function checkHolder(store: MemoryStore): void {
  for (const id of Object.values(ids)) {
    const state = stateOf(store, id)
    if (state.status !== 'active') continue
    const heldBy = holderOf(store, state.slug)
    must(heldBy === id, `${id} is active as ${state.slug}, which ${heldBy ?? 'nobody'} holds`)
  }
}

export function stateOf(store: MemoryStore, id: string) {
  return foldOf(templateDecider, store.of(templateStream(id)))
}

function holderOf(store: MemoryStore, slug: string): string | undefined {
  return foldOf(slugDecider, store.of(slugStream(owner, slug))).heldBy
}

export const causeOf = (change: Change) => derivedUuid(change, 'together')

export function commandOf(world: World, change: Change, deadlineMs?: number): Envelope<TemplateCommand> {
  const [verb, name] = change.split(' ') as [Verb, Id]
  const template_id = ids[name]
  const metadata = {
    id: deadlineMs === undefined ? derivedUuid(change) : causeOf(change),
    time: new Date(world.nowMs).toISOString(),
    correlation_id: 'req_1',
    ...(deadlineMs !== undefined && { deadline: new Date(deadlineMs).toISOString() }),
  }
  const data = { template_id, owner_id: owner }
  switch (verb) {
    case 'create':
      return { type: 'CreateTemplate', data: { ...data, name: slug, html: '<p>', sample_data: {} }, metadata }
    case 'change':
    case 'edit':
      return { type: 'UpdateTemplate', data: { ...data, changes: { html: `<p>${verb}` } }, metadata }
    case 'delete':
      return { type: 'DeleteTemplate', data, metadata }
    case 'restore':
      return { type: 'RestoreTemplate', data: { ...data, version: 1 }, metadata }
  }
}

/** The answer of the handler, as its client gets it. */
export async function executed(
  store: EventStore,
  world: World,
  command: Envelope<TemplateCommand>,
  beforeAppend?: () => Promise<void>,
): Promise<string> {
  const dependencies = {
    store,
    engine: { check: async () => ({ calls: [], defined: [] }) },
    resolvePartials: async () => ({}),
    libraries: new AssetLibraries(store),
    schemas: { check: async () => {} },
    now: () => world.nowMs,
    ...(beforeAppend && { beforeAppend }),
  }
  try {
    const { revision } = await handleTemplateCommand(dependencies, command)
    return `version ${revision + 1}`
  } catch (err) {
    if (err instanceof DomainError) return err.code
    throw err
  }
}
