import type { PartialAnswer, PartialCommand } from '@platen/domain/partial/partial.ts'
import { partialStream } from '@platen/domain/partial/partial-events.ts'
import { shownPartial, shownPartialDecider } from '@platen/domain/partial/shown-partial.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { type Handled, handleCommand, load, refuseAfterDeadline } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { partialSource } from '@platen/templating/handlebars/template-problem.ts'
import type { ResolvePartials } from './resolve-partials.ts'

export interface PartialHandlerDependencies {
  store: EventStore
  engine: Pick<TemplateEngine, 'check'>
  resolvePartials: ResolvePartials
  now: () => number
  /** Called before what the command leads to is appended to its partial. If it rejects, nothing is. */
  beforeAppend?: () => Promise<void>
}

/**
 * Executes a command and returns the resulting partial. Before it is saved, a partial is compiled, and the partials
 * that it calls are looked up. Throws DomainError when the command is refused.
 */
export async function handlePartialCommand(
  dependencies: PartialHandlerDependencies,
  command: Envelope<PartialCommand>,
): Promise<PartialAnswer> {
  const { store, now, beforeAppend } = dependencies
  const { partial_id } = command.data
  const stream = partialStream(partial_id)
  const known = await load(store, decider, stream, { command, now })
  // A repeated command is not checked again: its partial may have changed since.
  if (known.executed) return answerOf(partial_id, known.executed)
  refuseAfterDeadline(command.metadata, now())
  // A command that is refused anyway, for example of an unknown partial, is refused for that.
  const changes = decider.decide(command, known.state).length > 0
  const name = nameOf(command, known.state)
  if (command.type !== 'DeletePartial' && changes) await check(dependencies, command, name)
  const once = { once: true, now, beforeAppend }
  return answerOf(partial_id, await handleCommand({ store, decider, stream, command, ...once }))
}

const decider = shownPartialDecider
type State = (typeof decider)['initialState']

function answerOf(partial_id: string, { state, revision }: Handled<State>): PartialAnswer {
  const partial = shownPartial(partial_id, state)
  // Every executed command has recorded an event, so there is a revision.
  return { partial_id, revision: Number(revision), ...defined({ partial }) }
}

const nameOf = (command: PartialCommand, { state }: State): string => {
  if (command.type === 'CreatePartial') return command.data.name
  return state.status === 'absent' ? '' : state.name
}

async function check(
  { engine, resolvePartials }: PartialHandlerDependencies,
  command: Envelope<Exclude<PartialCommand, { type: 'DeletePartial' }>>,
  name: string,
): Promise<void> {
  const { data, metadata } = command
  const { html, owner_id: ownerId } = data
  const caller = { owner: ownerId, key: metadata.api_key_id ?? ownerId }
  const source = partialSource(name)
  const partials = await engine.check(html, { caller, name: source })
  // A partial that is saved at the same moment may close a circle with it. That is refused when they are used.
  await resolvePartials({ ownerId, caller, sources: [{ name: source, html, partials }], saved: name })
}
