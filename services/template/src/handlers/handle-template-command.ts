import { type Envelope, isPastDeadline } from '@platen/shared/contracts/command.ts'
import { defaultOwnerId } from '@platen/shared/contracts/owner.ts'
import type {
  CreateTemplate,
  DeleteTemplate,
  TemplateAnswer,
  TemplateCommand,
  UpdateTemplate,
} from '@platen/shared/contracts/template.ts'
import type { TemplateChanges } from '@platen/shared/contracts/template-content.ts'
import type { TemplateState } from '@platen/shared/contracts/template-state.ts'
import { AppendTooLarge, type EventStore } from '@platen/shared/event-store/event-store.ts'
import { type Handled, handleCommand, load, refuseAfterDeadline } from '@platen/shared/event-store/handle-command.ts'
import type { TemplateCaller, TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import { noSuchPartial } from '@platen/shared/handlebars/template-problem.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import { type TemplateDecision, templateDecider } from '../domain/template.ts'
import { releaseHeldSlug, releaseSlug, reserveSlug } from './reserve-slug.ts'

export interface TemplateHandlerDependencies {
  store: EventStore
  engine: Pick<TemplateEngine, 'check'>
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
  const { revision } = await execute(dependencies, command)
  // Every executed command has recorded an event, so there is a revision.
  return { template_id: command.data.template_id, revision: Number(revision) }
}

function execute(
  dependencies: TemplateHandlerDependencies,
  command: Envelope<TemplateCommand>,
): Promise<Handled<TemplateState>> {
  switch (command.type) {
    case 'CreateTemplate':
      return create(dependencies, command)
    case 'UpdateTemplate':
      return update(dependencies, command)
    case 'DeleteTemplate':
      return remove(dependencies, command)
  }
}

async function create(dependencies: TemplateHandlerDependencies, command: Envelope<CreateTemplate>) {
  const { store, engine, now } = dependencies
  const { template_id, owner_id = defaultOwnerId, name } = command.data
  const repeated = await load(store, templateDecider, streamOf(template_id))
  if (repeated.state.status !== 'absent') return repeated

  const holder = { store, ownerId: owner_id, templateId: template_id, metadata: command.metadata }
  if (isPastDeadline(command.metadata, now())) {
    // A process that has stopped in between may have reserved it.
    await releaseHeldSlug(holder, name)
    refuseAfterDeadline(command.metadata, now())
  }
  await checkSources(engine, command.data, callerOf(command))
  const slug = await reserveSlug(holder, name, now())
  try {
    return await decideOnce(dependencies, { ...command, data: { ...command.data, owner_id, slug } })
  } catch (err) {
    if (err instanceof DomainError) await releaseSlug(holder, slug)
    throw err
  }
}

async function update(dependencies: TemplateHandlerDependencies, command: Envelope<UpdateTemplate>) {
  await checkSources(dependencies.engine, command.data.changes, callerOf(command))
  return decideOnce(dependencies, command)
}

/** The Handlebars sources of a template, and the names of the fields in error messages. */
const sourceFields = ['html', 'header_html', 'footer_html'] as const

async function checkSources(
  engine: TemplateHandlerDependencies['engine'],
  template: TemplateChanges,
  caller: TemplateCaller,
): Promise<void> {
  for (const name of sourceFields) {
    const source = template[name]
    if (typeof source !== 'string') continue
    const { calls } = await engine.check(source, { ...caller, name })
    const unknown = calls.find(({ hasBlock }) => !hasBlock)
    if (unknown) throw noSuchPartial(unknown).inSource(source, name)
  }
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
  const stream = streamOf(command.data.template_id)
  try {
    return await handleCommand({ store, decider: templateDecider, stream, command, once: true, now })
  } catch (err) {
    if (!(err instanceof AppendTooLarge)) throw err
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      'The fields of the template together are too large for the event store',
      {
        cause: err,
      },
    )
  }
}

const streamOf = (templateId: string) => `template-${templateId}`

/** Who shares the template workers with others. */
function callerOf({ metadata, data }: Envelope<TemplateCommand>): TemplateCaller {
  return { owner: metadata.api_key_id ?? data.owner_id ?? defaultOwnerId }
}
