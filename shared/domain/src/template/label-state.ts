import type { Unreadable } from '@platen/event-store/decider.ts'
import type { LabelEvent } from './label-events.ts'

/** The versions of a template that have a label, by label, in the order in which the labels were made. */
export type LabelState = Readonly<Record<string, number>>

export const noLabels: LabelState = {}

export const labelStream = (templateId: string) => `label-${templateId}`

/** Every event has all labels. */
export function evolveLabels(labels: LabelState, event: LabelEvent | Unreadable): LabelState {
  switch (event.type) {
    case 'TemplateLabelSet':
    case 'TemplateLabelRemoved':
      return event.data.labels
    case '$unreadable':
      return labels
  }
}

export function isWholeLabels({ type }: LabelEvent | Unreadable): boolean {
  switch (type) {
    case 'TemplateLabelSet':
    case 'TemplateLabelRemoved':
      return true
    case '$unreadable':
      return false
  }
}
