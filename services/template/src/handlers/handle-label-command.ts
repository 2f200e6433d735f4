import { DomainError } from '@platen/domain/http/errors.ts'
import { labelDecider } from '@platen/domain/template/decide-labels.ts'
import { templateDecider } from '@platen/domain/template/decide-template.ts'
import { type LabelState, labelStream } from '@platen/domain/template/label-state.ts'
import type { LabelCommand, TemplateAnswer } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { type Handled, handleCommand, load } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { readVersion } from './read-version.ts'

/** Throws TEMPLATE_NOT_FOUND, also for a version that the template does not have, and LABEL_NOT_FOUND. */
export async function handleLabelCommand(
  { store, now, beforeAppend }: { store: EventStore; now: () => number; beforeAppend?: () => Promise<void> },
  command: Envelope<LabelCommand>,
): Promise<TemplateAnswer> {
  const { template_id, owner_id } = command.data
  const stream = labelStream(template_id)
  const { executed } = await load(store, labelDecider, stream, { command, now })
  // A repeated command is not checked again: its template may be deleted by now.
  if (executed) return answerOf(template_id, executed)
  const template = (await load(store, templateDecider, templateStream(template_id))).state
  if (template.status !== 'active' || template.ownerId !== owner_id) {
    throw new DomainError('TEMPLATE_NOT_FOUND', `Template ${template_id} does not exist`)
  }
  if (command.type === 'SetTemplateLabel') await readVersion(store, template_id, command.data.version)
  const once = { once: true, recordKey: true, now, beforeAppend }
  return answerOf(template_id, await handleCommand({ store, decider: labelDecider, stream, command, ...once }))
}

function answerOf(template_id: string, { state, revision }: Handled<LabelState>): TemplateAnswer {
  return { template_id, revision: revision === 'none' ? -1 : revision, labels: { ...state } }
}
