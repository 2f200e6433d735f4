import { Type } from 'typebox'
import { publishedEvent } from '../events/published-event.ts'
import type { TemplateLabelRemoved, TemplateLabelSet } from './template.ts'

// The labels of a template are an aggregate of their own, with the id of the template: a label changes no version of it.

const Label = Type.String({ description: 'the name that `template_label` of a request uses' })

export const labelEvents = {
  TemplateLabelSet: publishedEvent({
    version: 1,
    summary: 'A label of a template was made, or moved to another version. `subject` is the id of the template.',
    data: Type.Object({
      label: Label,
      version: Type.Integer({ minimum: 1, description: 'the version of the template that the label names now' }),
    }),
    example: { label: 'published', version: 3 },
    toPublic: ({ label, version }: TemplateLabelSet['data']) => ({ label, version }),
  }),
  TemplateLabelRemoved: publishedEvent({
    version: 1,
    summary: 'A label of a template was removed. `subject` is the id of the template.',
    data: Type.Object({ label: Label }),
    example: { label: 'draft' },
    toPublic: ({ label }: TemplateLabelRemoved['data']) => ({ label }),
  }),
}
