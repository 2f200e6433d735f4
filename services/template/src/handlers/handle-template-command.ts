import type { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import type { WithTimes } from '@platen/domain/events/with-times.ts'
import type { RestoreContent, TemplateDecision } from '@platen/domain/template/decide-template.ts'
import { shownTemplate, shownTemplateDecider } from '@platen/domain/template/shown-template.ts'
import type {
  CreateTemplate,
  DeleteTemplate,
  LabelCommand,
  TemplateAnswer,
  TemplateCommand,
  UpdateTemplate,
} from '@platen/domain/template/template.ts'
import { applyChanges, type TemplateChanges } from '@platen/domain/template/template-content.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { TemplateState } from '@platen/domain/template/template-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import {
  type Handled,
  handleCommand,
  type Loaded,
  load,
  refuseAfterDeadline,
} from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { type SchemaChecker, sampleValues } from '@platen/templating/data-schema/schema-checker.ts'
import type { TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { handleLabelCommand } from './handle-label-command.ts'
import { keepSlug } from './keep-slug.ts'
import { changesPins, checkSources, pin } from './pin-partials.ts'
import { releaseSlug, reserveChosen, reserveSlug } from './reserve-slug.ts'
import type { ResolvePartials } from './resolve-partials.ts'
import { restoreTemplate } from './restore-template.ts'

/** Fields that are checked together: a change of one may make the others wrong. */
const dataFields = ['data_schema', 'sample_data', 'samples'] as const

/**
 * Checks the schema of a template when it is saved, and its samples with it; sample data only if there are some.
 * `after` is the template with the changes. Throws VALIDATION_ERROR with the paths, and TEMPLATE_TOO_COMPLEX.
 */
async function checkData(
  schemas: Pick<SchemaChecker, 'check'>,
  { after, changes, caller }: { after: TemplateChanges; changes: TemplateChanges; caller: Claim },
): Promise<void> {
  const { data_schema, sample_data, samples } = after
  if (!data_schema || !dataFields.some((field) => field in changes)) return
  // A schema that was saved before is not refused for a word without an effect.
  const saving = 'data_schema' in changes
  await schemas.check(caller, data_schema, sampleValues(sample_data, samples ?? {}), { saving })
}

export interface TemplateHandlerDependencies {
  store: EventStore
  engine: Pick<TemplateEngine, 'check'>
  resolvePartials: ResolvePartials
  libraries: AssetLibraries
  schemas: Pick<SchemaChecker, 'check'>
  now: () => number
  /** Called before what the command leads to is appended to its template. If it rejects, nothing is. */
  beforeAppend?: () => Promise<void>
}

type ShownState = WithTimes<TemplateState>

/**
 * Executes a command and returns the template that its events have led to. A command that is delivered again gets the answer of
 * the first time, whatever has happened to the template, its partials and its assets since. Throws DomainError when the command
 * is refused, for example after its deadline.
 */
export async function handleTemplateCommand(
  dependencies: TemplateHandlerDependencies,
  command: Envelope<TemplateCommand>,
): Promise<TemplateAnswer> {
  if (command.type === 'SetTemplateLabel' || command.type === 'RemoveTemplateLabel') {
    return handleLabelCommand(dependencies, command)
  }
  const { template_id } = command.data
  const loaded = await loadTemplate(dependencies, command)
  const { state, revision } = loaded.executed ?? (await execute(dependencies, command, loaded))
  // A redelivery gets here, too: a process may have stopped after its append.
  if (command.type === 'DeleteTemplate') await releaseSlugOf(dependencies, command, state)
  const isNewest = loaded.executed === undefined || loaded.executed.revision === loaded.revision
  if ((command.type === 'CreateTemplate' || command.type === 'RestoreTemplate') && isNewest) {
    await keepSlug(dependencies.store, command, state.state)
  }
  const template = shownTemplate(template_id, state)
  // Every executed command has recorded an event, so there is a revision.
  return { template_id, revision: Number(revision), ...defined({ template }) }
}

const { isWhole: _, ...foldOfAll } = shownTemplateDecider

/** The template, with what the command has recorded. */
async function loadTemplate(
  { store, now }: TemplateHandlerDependencies,
  command: Envelope<TemplateCommand>,
): Promise<Loaded<ShownState>> {
  const stream = templateStream(command.data.template_id)
  if (command.type !== 'CreateTemplate') return load(store, shownTemplateDecider, stream, { command, now })
  const loaded = await load(store, shownTemplateDecider, stream)
  if (loaded.revision === 'none') return loaded
  // A POST may be repeated a day later. It has recorded the first event, and the second if its slug was lost.
  const { executed } = await load(store, foldOfAll, stream, { version: 2, command, now })
  return { ...loaded, executed }
}

function execute(
  dependencies: TemplateHandlerDependencies,
  command: Envelope<Exclude<TemplateCommand, LabelCommand>>,
  { state: { state } }: Loaded<ShownState>,
): Promise<Handled<ShownState>> {
  switch (command.type) {
    case 'CreateTemplate':
      return create(dependencies, command)
    case 'UpdateTemplate':
      return update(dependencies, command, state)
    case 'DeleteTemplate':
      return decideOnce(dependencies, command)
    case 'RestoreTemplate': {
      const decide = (decided: Envelope<RestoreContent>) => decideOnce(dependencies, decided)
      return restoreTemplate({ ...dependencies, decide }, command, state)
    }
  }
}

async function create(dependencies: TemplateHandlerDependencies, command: Envelope<CreateTemplate>) {
  const { store, now } = dependencies
  const { template_id, owner_id, name, slug: chosen } = command.data
  const holder = { store, ownerId: owner_id, templateId: template_id, metadata: command.metadata }
  refuseAfterDeadline(command.metadata, now())
  const caller = callerOf(command)
  const pins = await pin(dependencies, { changes: command.data, ownerId: owner_id, caller })
  await checkData(dependencies.schemas, { after: command.data, changes: command.data, caller })
  const slug = await (chosen === undefined ? reserveSlug(holder, name, now()) : reserveChosen(holder, chosen, now()))
  try {
    return await decideOnce(dependencies, { ...command, data: { ...command.data, ...pins, owner_id, slug } })
  } catch (err) {
    if (!(err instanceof DependencyUnavailable)) await releaseSlug(holder, slug)
    throw err
  }
}

async function update(
  dependencies: TemplateHandlerDependencies,
  command: Envelope<UpdateTemplate>,
  state: TemplateState,
) {
  const { changes, owner_id: ownerId } = command.data
  if (state.status !== 'active' || state.ownerId !== ownerId) return decideOnce(dependencies, command)
  const caller = callerOf(command)
  const after = applyChanges(state, changes)
  await checkData(dependencies.schemas, { after, changes, caller })
  if (!changesPins(state, changes)) {
    if ('helpers' in changes) await checkSources(dependencies.engine, { after, changes, caller })
    return decideOnce(dependencies, command)
  }
  const pinned = await pin(dependencies, { before: state, changes, ownerId, caller })
  // The last change that removes a partial or asset removes the pins.
  const partials = pinned.partials ?? (state.partials && null)
  const assets = pinned.assets ?? (state.assets && null)
  const changed = { ...changes, ...defined({ partials, assets }) }
  return decideOnce(dependencies, { ...command, data: { ...command.data, changes: changed } })
}

async function releaseSlugOf(
  { store }: TemplateHandlerDependencies,
  { data, metadata }: Envelope<DeleteTemplate>,
  { state }: ShownState,
): Promise<void> {
  if (state.status !== 'deleted') return
  const { ownerId, slug } = state
  await releaseSlug({ store, ownerId, templateId: data.template_id, metadata }, slug)
}

async function decideOnce(
  { store, now, beforeAppend }: TemplateHandlerDependencies,
  command: Envelope<TemplateDecision>,
): Promise<Handled<ShownState>> {
  const stream = templateStream(command.data.template_id)
  const once = { once: true, recordKey: true, now, beforeAppend }
  return handleCommand({ store, decider: shownTemplateDecider, stream, command, ...once })
}

/** Who shares the template workers with others. */
function callerOf({ metadata, data }: Envelope<TemplateCommand>): Claim {
  const { owner_id: owner } = data
  return { owner, key: metadata.api_key_id ?? owner }
}
