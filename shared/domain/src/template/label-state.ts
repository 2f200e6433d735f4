import type { LabelEvent } from './label-events.ts'

/** The versions of a template that have a label, by label, in the order in which the labels were made. */
export type LabelState = Readonly<Record<string, number>>

export const noLabels: LabelState = {}

export const labelStream = (templateId: string) => `label-${templateId}`

export function evolveLabels(labels: LabelState, event: LabelEvent): LabelState {
  switch (event.type) {
    case 'TemplateLabelSet':
      return { ...labels, [event.data.label]: event.data.version }
    case 'TemplateLabelRemoved': {
      const { [event.data.label]: _, ...rest } = labels
      return rest
    }
    default:
      return labels
  }
}
