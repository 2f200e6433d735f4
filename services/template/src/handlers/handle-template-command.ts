import type { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { type RestoreContent, type TemplateDecision, templateDecider } from '@platen/domain/template/decide-template.ts'
import type {
  CreateTemplate,
  DeleteTemplate,
  LabelCommand,
  TemplateAnswer,
  TemplateCommand,
  UpdateTemplate,
} from '@platen/domain/template/template.ts'
import { applyChanges } from '@platen/domain/template/template-content.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { TemplateState } from '@platen/domain/template/template-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { type Handled, handleCommand, load, refuseAfterDeadline } from '@platen/event-store/handle-command.ts'
import { type Envelope, isPastDeadline } from '@platen/foundation/command.ts'
import type { SchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import type { TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { checkData } from './check-data.ts'
import { handleLabelCommand } from './handle-label-command.ts'
import { pin, pinnedFields } from './pin-partials.ts'
import { releaseHeldSlug, releaseSlug, reserveSlug } from './reserve-slug.ts'
import type { ResolvePartials } from './resolve-partials.ts'
import { restoreTemplate } from './restore-template.ts'

export interface TemplateHandlerDependencies {
  store: EventStore
  engine: Pick<TemplateEngine, 'check'>
  resolvePartials: ResolvePartials
  libraries: AssetLibraries
  schemas: Pick<SchemaChecker, 'check'>
  now: () => number
}

/**
 * Executes a command and returns the resulting revision. Throws DomainError when the command is refused, for example after
 * its deadline.
 */
export async function handleTemplateCommand(
  dependencies: TemplateHandlerDependencies,
  command: Envelope<TemplateCommand>,
): Promise<TemplateAnswer> {
  if (command.type === 'SetTemplateLabel' || command.type === 'RemoveTemplateLabel') {
    return handleLabelCommand(dependencies, command)
  }
  const { revision } = await execute(dependencies, command)
  // Every executed command has recorded an event, so there is a revision.
  return { template_id: command.data.template_id, revision: Number(revision) }
}

function execute(
  dependencies: TemplateHandlerDependencies,
  command: Envelope<Exclude<TemplateCommand, LabelCommand>>,
): Promise<Handled<TemplateState>> {
  switch (command.type) {
    case 'CreateTemplate':
      return create(dependencies, command)
    case 'UpdateTemplate':
      return update(dependencies, command)
    case 'DeleteTemplate':
      return remove(dependencies, command)
    case 'RestoreTemplate': {
      const decide = (decided: Envelope<RestoreContent>) => decideOnce(dependencies, decided)
      return restoreTemplate({ ...dependencies, decide }, command)
    }
  }
}

async function create(dependencies: TemplateHandlerDependencies, command: Envelope<CreateTemplate>) {
  const { store, now } = dependencies
  const { template_id, owner_id, name } = command.data
  const repeated = await load(store, templateDecider, templateStream(template_id))
  if (repeated.state.status !== 'absent') return repeated

  const holder = { store, ownerId: owner_id, templateId: template_id, metadata: command.metadata }
  if (isPastDeadline(command.metadata, now())) {
    // A process that has stopped in between may have reserved it.
    await releaseHeldSlug(holder, name)
    refuseAfterDeadline(command.metadata, now())
  }
  const caller = callerOf(command)
  const pins = await pin(dependencies, { changes: command.data, ownerId: owner_id, caller })
  await checkData(dependencies.schemas, { after: command.data, changes: command.data, caller })
  const slug = await reserveSlug(holder, name, now())
  try {
    return await decideOnce(dependencies, { ...command, data: { ...command.data, ...pins, owner_id, slug } })
  } catch (err) {
    if (err instanceof DomainError) await releaseSlug(holder, slug)
    throw err
  }
}

async function update(dependencies: TemplateHandlerDependencies, command: Envelope<UpdateTemplate>) {
  const { changes } = command.data
  const { state } = await load(dependencies.store, templateDecider, templateStream(command.data.template_id))
  const { owner_id: ownerId } = command.data
  if (state.status !== 'active' || state.ownerId !== ownerId) return decideOnce(dependencies, command)
  const caller = callerOf(command)
  await checkData(dependencies.schemas, { after: applyChanges(state, changes), changes, caller })
  if (!pinnedFields.some((field) => field in changes)) return decideOnce(dependencies, command)
  const pinned = await pin(dependencies, { before: state, changes, ownerId, caller })
  // The last change that removes a partial or asset removes the pins.
  const partials = pinned.partials ?? (state.partials && null)
  const assets = pinned.assets ?? (state.assets && null)
  const changed = { ...changes, ...(partials !== undefined && { partials }), ...(assets !== undefined && { assets }) }
  return decideOnce(dependencies, { ...command, data: { ...command.data, changes: changed } })
}

async function remove(dependencies: TemplateHandlerDependencies, command: Envelope<DeleteTemplate>) {
  const { store } = dependencies
  const handled = await decideOnce(dependencies, command)
  // After the delete, so that a crash in between cannot free the slug of an active template. A redelivery gets here, too.
  if (handled.state.status === 'deleted') {
    const { ownerId, slug } = handled.state
    await releaseSlug({ store, ownerId, templateId: command.data.template_id, metadata: command.metadata }, slug)
  }
  return handled
}

async function decideOnce(
  { store, now }: TemplateHandlerDependencies,
  command: Envelope<TemplateDecision>,
): Promise<Handled<TemplateState>> {
  const stream = templateStream(command.data.template_id)
  return handleCommand({ store, decider: templateDecider, stream, command, once: true, recordKey: true, now })
}

/** Who shares the template workers with others. */
function callerOf({ metadata, data }: Envelope<TemplateCommand>): string {
  return metadata.api_key_id ?? data.owner_id
}
