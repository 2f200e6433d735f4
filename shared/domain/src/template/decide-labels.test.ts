import { given } from '@platen/test-support/given.ts'
import t from 'tap'
import { labelDecider } from './decide-labels.ts'
import type { LabelEvent } from './label-events.ts'
import type { LabelCommand } from './template.ts'

const of = { template_id: 'tpl_00000000000000000000000000', owner_id: 'own_default' }
const set = (label: string, version: number): LabelCommand => ({
  type: 'SetTemplateLabel',
  data: { ...of, label, version },
})
const remove = (label: string): LabelCommand => ({ type: 'RemoveTemplateLabel', data: { ...of, label } })
const wasSet = (label: string, version: number, others: Record<string, number> = {}): LabelEvent => ({
  type: 'TemplateLabelSet',
  data: { label, version, labels: { ...others, [label]: version } },
})
const wasRemoved = (label: string): LabelEvent => ({ type: 'TemplateLabelRemoved', data: { label, labels: {} } })

t.test('a label is set, moved and removed', async (t) => {
  given(t, labelDecider, [])
    .when(set('draft', 2))
    .then([wasSet('draft', 2)])
  given(t, labelDecider, [wasSet('draft', 2)])
    .when(set('draft', 2))
    .then([])
  given(t, labelDecider, [wasSet('draft', 2)])
    .when(set('draft', 1))
    .then([wasSet('draft', 1)])
  given(t, labelDecider, [wasSet('draft', 2)])
    .when(remove('draft'))
    .then([wasRemoved('draft')])
  given(t, labelDecider, [wasSet('draft', 2)])
    .when(remove('published'))
    .refused('LABEL_NOT_FOUND')
  given(t, labelDecider, [wasSet('draft', 2), wasRemoved('draft')])
    .when(remove('draft'))
    .refused('LABEL_NOT_FOUND')
})

t.test('a label may have the name of a property of every object', async (t) => {
  given(t, labelDecider, []).when(remove('constructor')).refused('LABEL_NOT_FOUND')
  given(t, labelDecider, [])
    .when(set('constructor', 1))
    .then([wasSet('constructor', 1)])
})

t.test('the number of labels is limited, and labels that exist can still be moved', async (t) => {
  const others = Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`v${at}`, 1]))
  const last = wasSet('v49', 1, others)
  given(t, labelDecider, [last]).when(set('more', 1)).refused('VALIDATION_ERROR')
  given(t, labelDecider, [last])
    .when(set('v7', 2))
    .then([wasSet('v7', 2, { ...others, v49: 1 })])
})
