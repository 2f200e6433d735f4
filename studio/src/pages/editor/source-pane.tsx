import { useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { queryValue } from '../../router/address.ts'
import { CodePane } from './code/code-pane.tsx'
import { Inserter } from './code/inserter.ts'
import { DataBar } from './forms/data-bar.tsx'
import { DataForm } from './forms/data-form.tsx'
import { OptionsForm } from './forms/options-form.tsx'
import { SchemaBar } from './forms/schema-bar.tsx'
import { Drawer } from './library/drawer.tsx'
import { type DocumentId, dataDocument } from './model/documents.ts'
import type { EditorModel } from './model/editor-model.ts'
import type { PreviewLoop } from './preview/preview-loop.ts'
import { SourceTabs } from './source-tabs.tsx'

/** The sources of the template: texts and forms. */
export function SourcePane({ model, loop }: { model: EditorModel; loop: PreviewLoop }) {
  const inserter = useMemo(() => new Inserter(), [])
  const tab = queryValue('tab')
  const document = documentOf(tab, model)
  const problems = useComputed(() => [...model.saveProblems.value, ...loop.problems.value, ...loop.warnings.value])
  const isForm = tab === 'data' && queryValue('as') === 'form'
  return (
    <section class="editor-pane editor-source" aria-label="Source">
      <SourceTabs model={model} problems={problems.value} />
      {tab === 'data' && <DataBar model={model} />}
      {tab === 'schema' && <SchemaBar model={model} />}
      {tab === 'options' && <OptionsForm model={model} problems={problems.value} />}
      {isForm && <DataForm model={model} problems={problems.value} />}
      <CodePane
        model={model}
        document={document}
        problems={problems.value}
        inserter={inserter}
        isHidden={tab === 'options' || isForm}
      />
      <Drawer model={model} loop={loop} problems={problems.value} inserter={inserter} />
    </section>
  )
}

function documentOf(tab: string, model: EditorModel): DocumentId {
  switch (tab) {
    case 'header':
      return 'header_html'
    case 'footer':
      return 'footer_html'
    case 'data':
      return dataDocument(model.set.value)
    case 'schema':
      return 'data_schema'
    case 'helpers':
      return 'helpers'
    default:
      return 'html'
  }
}
