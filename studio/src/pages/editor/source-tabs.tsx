import { TabText } from '../../parts/tab-text.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { partialDocument } from './model/documents.ts'
import type { EditorModel } from './model/editor-model.ts'
import type { Problem } from './model/problem.ts'
import { tabOf } from './model/tab-of.ts'

const tabs = [
  { value: '', text: 'Body' },
  { value: 'header', text: 'Header' },
  { value: 'footer', text: 'Footer' },
  { value: 'data', text: 'Data' },
  { value: 'options', text: 'Options' },
  { value: 'schema', text: 'Schema' },
  { value: 'translations', text: 'Translations' },
]

/** Which source is shown. One with an error says so. */
export function SourceTabs({ model, problems }: { model: EditorModel; problems: readonly Problem[] }) {
  const failing = new Set(
    problems.flatMap(({ severity, place }) => (severity === 'error' && place ? [tabOf(place.document)] : [])),
  )
  const hasHelpers = model.template.value.helpers !== undefined
  const partials = Object.keys(model.fields.value.partials)
  const shown = [
    ...tabs,
    ...(hasHelpers ? [{ value: 'helpers', text: 'Helpers' }] : []),
    ...partials.map((name) => ({ value: tabOf(partialDocument(name)), text: name })),
  ]
  return (
    <div class="editor-bar">
      <Tabs
        label="Sources"
        name="tab"
        tabs={shown.map(({ value, text }) => ({
          value,
          text: <TabText text={text} mark={failing.has(value) && 'has errors'} tone="bad" />,
        }))}
      />
    </div>
  )
}
