import type { LabelEvent } from './label-events.ts'

/** The versions of a template that have a label, by label, in the order in which the labels were made. */
export type LabelState = Readonly<Record<string, number>>

export const noLabels: LabelState = {}

export const labelStream = (templateId: string) => `label-${templateId}`

/** Every event has all labels; one that cannot be read changes nothing. */
export function evolveLabels(labels: LabelState, event: LabelEvent): LabelState {
  return isWholeLabels(event) ? event.data.labels : labels
}

export function isWholeLabels({ type }: LabelEvent): boolean {
  return type === 'TemplateLabelSet' || type === 'TemplateLabelRemoved'
}
