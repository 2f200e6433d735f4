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
const wasSet = (label: string, version: number): LabelEvent => ({ type: 'TemplateLabelSet', data: { label, version } })
const wasRemoved = (label: string): LabelEvent => ({ type: 'TemplateLabelRemoved', data: { label } })

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

t.test('the number of labels is limited, and labels that exist can still be moved', async (t) => {
  const many = Array.from({ length: 50 }, (_, at) => wasSet(`v${at}`, 1))
  given(t, labelDecider, many).when(set('more', 1)).refused('VALIDATION_ERROR')
  given(t, labelDecider, many)
    .when(set('v7', 2))
    .then([wasSet('v7', 2)])
})
