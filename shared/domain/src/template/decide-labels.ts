import type { WholeDecider } from '@platen/event-store/decider.ts'
import { DomainError } from '../http/errors.ts'
import type { LabelEvent } from './label-events.ts'
import { evolveLabels, isWholeLabels, type LabelState, noLabels } from './label-state.ts'
import type { LabelCommand } from './template.ts'
import { maxLabels } from './template-versions.ts'

/** The labels of one template. That its version exists is checked before. */
export const labelDecider: WholeDecider<LabelState, LabelCommand, LabelEvent> = {
  initialState: noLabels,
  evolve: evolveLabels,
  isWhole: isWholeLabels,
  decide(command, labels) {
    const { label } = command.data
    if (command.type === 'RemoveTemplateLabel') {
      if (!Object.hasOwn(labels, label)) {
        throw new DomainError('LABEL_NOT_FOUND', `The template has no label ${label}${existing(labels)}`)
      }
      const { [label]: _, ...rest } = labels
      return [{ type: 'TemplateLabelRemoved', data: { label, labels: rest } }]
    }
    const { version } = command.data
    if (Object.hasOwn(labels, label)) {
      if (labels[label] === version) return []
    } else if (Object.keys(labels).length >= maxLabels) {
      throw new DomainError('VALIDATION_ERROR', `A template may have ${maxLabels} labels; remove one first`)
    }
    return [{ type: 'TemplateLabelSet', data: { label, version, labels: { ...labels, [label]: version } } }]
  },
}

function existing(labels: LabelState): string {
  const names = Object.keys(labels)
  return names.length === 0 ? '' : `; it has ${names.join(', ')}`
}
