import { DomainError } from '@platen/domain/http/errors.ts'
import { labelDecider } from '@platen/domain/template/decide-labels.ts'
import { templateDecider } from '@platen/domain/template/decide-template.ts'
import { labelStream } from '@platen/domain/template/label-state.ts'
import type { LabelCommand, TemplateAnswer } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { readVersion } from './read-version.ts'

/** Throws TEMPLATE_NOT_FOUND, also for a version that the template does not have, and LABEL_NOT_FOUND. */
export async function handleLabelCommand(
  { store, now }: { store: EventStore; now: () => number },
  command: Envelope<LabelCommand>,
): Promise<TemplateAnswer> {
  const { template_id, owner_id } = command.data
  const template = (await load(store, templateDecider, templateStream(template_id))).state
  if (template.status !== 'active' || template.ownerId !== owner_id) {
    throw new DomainError('TEMPLATE_NOT_FOUND', `Template ${template_id} does not exist`)
  }
  if (command.type === 'SetTemplateLabel') await readVersion(store, template_id, command.data.version)
  const { state, revision } = await handleCommand({
    store,
    decider: labelDecider,
    stream: labelStream(template_id),
    command,
    once: true,
    recordKey: true,
    now,
  })
  return { template_id, revision: revision === 'none' ? -1 : revision, labels: { ...state } }
}
