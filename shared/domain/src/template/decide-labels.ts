import type { Decider } from '@platen/event-store/decider.ts'
import { DomainError } from '../http/errors.ts'
import type { LabelEvent } from './label-events.ts'
import { evolveLabels, type LabelState, noLabels } from './label-state.ts'
import type { LabelCommand } from './template.ts'
import { maxLabels } from './template-versions.ts'

/** The labels of one template. That its version exists is checked before. */
export const labelDecider: Decider<LabelState, LabelCommand, LabelEvent> = {
  initialState: noLabels,
  evolve: evolveLabels,
  decide(command, labels) {
    const { label } = command.data
    if (command.type === 'RemoveTemplateLabel') {
      if (labels[label] === undefined) {
        throw new DomainError('LABEL_NOT_FOUND', `The template has no label ${label}${existing(labels)}`)
      }
      return [{ type: 'TemplateLabelRemoved', data: { label } }]
    }
    const { version } = command.data
    if (labels[label] === version) return []
    if (labels[label] === undefined && Object.keys(labels).length >= maxLabels) {
      throw new DomainError('VALIDATION_ERROR', `A template may have ${maxLabels} labels; remove one first`)
    }
    return [{ type: 'TemplateLabelSet', data: { label, version } }]
  },
}

function existing(labels: LabelState): string {
  const names = Object.keys(labels)
  return names.length === 0 ? '' : `; it has ${names.join(', ')}`
}
