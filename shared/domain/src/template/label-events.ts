import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Count, known, Text } from '../events/fields.ts'

// The labels of a template are an aggregate of their own, with the id of the template, because each event of a template
// is a version. Each event has all labels, so that only the last one is read.

const label = { category: 'label', relay: 'template' } as const

export const labelStream = (templateId: string) => `label-${templateId}`

const id = 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0'
const Labels = known<Readonly<Record<string, number>>>(Type.Record(Type.String(), Count))
const Label = Type.String({ description: 'the name that `template_label` of a request uses' })

export const TemplateLabelSet = defineEvent({
  type: 'TemplateLabelSet',
  aggregate: label,
  summary: 'A label of a template was made, or moved to another version. `subject` is the id of the template.',
  data: Type.Object({ label: Text, version: Count, labels: Labels }),
  describe: ({ label, version }) => ['label set', `${label} version ${version}`],
  published: {
    subject: 'label.set',
    data: Type.Object({
      label: Label,
      version: Type.Integer({ minimum: 1, description: 'the version of the template that the label names now' }),
    }),
    toPublic: ({ label, version }) => ({ label, version }),
  },
  example: { id, data: { label: 'published', version: 3, labels: { draft: 4, published: 3 } } },
})
export type TemplateLabelSet = Recorded<typeof TemplateLabelSet>

export const TemplateLabelRemoved = defineEvent({
  type: 'TemplateLabelRemoved',
  aggregate: label,
  summary: 'A label of a template was removed. `subject` is the id of the template.',
  data: Type.Object({ label: Text, labels: Labels }),
  describe: ({ label }) => ['label removed', label],
  published: {
    subject: 'label.removed',
    data: Type.Object({ label: Label }),
    toPublic: ({ label }) => ({ label }),
  },
  example: { id, data: { label: 'draft', labels: { published: 3 } } },
})
export type TemplateLabelRemoved = Recorded<typeof TemplateLabelRemoved>

export const labelEvents = { TemplateLabelSet, TemplateLabelRemoved }
export type LabelEvent = Recorded<(typeof labelEvents)[keyof typeof labelEvents]>
