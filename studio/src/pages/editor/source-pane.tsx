import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { queryValue, setQuery } from '../../router/address.ts'
import { CodePane } from './code/code-pane.tsx'
import { Inserter } from './code/inserter.ts'
import { DataBar } from './forms/data-bar.tsx'
import { DataForm } from './forms/data-form.tsx'
import { OptionsForm } from './forms/options-form.tsx'
import { SchemaBar } from './forms/schema-bar.tsx'
import { Drawer } from './library/drawer.tsx'
import { uploadFiles } from './library/upload.ts'
import { type DocumentId, dataDocument } from './model/documents.ts'
import type { EditorModel } from './model/editor-model.ts'
import { Library } from './model/library.ts'
import type { PreviewLoop } from './preview/preview-loop.ts'
import { SourceTabs } from './source-tabs.tsx'

/** The sources of the template: texts and forms. */
export function SourcePane({ model, loop }: { model: EditorModel; loop: PreviewLoop }) {
  const inserter = useMemo(() => new Inserter(() => setQuery({ tab: '', as: '', pane: '' })), [])
  const library = useMemo(() => new Library(), [])
  useEffect(() => void library.load(), [])
  const isDropping = useSignal(false)
  const takesFiles = ({ dataTransfer }: DragEvent) => model.mayWrite && dataTransfer?.types.includes('Files') === true
  const tab = queryValue('tab')
  const document = documentOf(tab, model)
  const problems = useComputed(() => [...model.saveProblems.value, ...loop.problems.value, ...loop.warnings.value])
  const isForm = tab === 'data' && queryValue('as') === 'form'
  return (
    <section
      class="editor-pane editor-source"
      aria-label="Source"
      data-dropping={isDropping.value || undefined}
      onDragOver={(event) => {
        if (!takesFiles(event)) return
        event.preventDefault()
        isDropping.value = true
      }}
      onDragLeave={() => {
        isDropping.value = false
      }}
      onDrop={(event) => {
        isDropping.value = false
        if (!takesFiles(event)) return
        event.preventDefault()
        void uploadFiles([...(event.dataTransfer?.files ?? [])], library)
      }}
    >
      <SourceTabs model={model} problems={problems.value} />
      {tab === 'data' && <DataBar model={model} />}
      {tab === 'schema' && <SchemaBar model={model} />}
      {tab === 'options' && <OptionsForm model={model} problems={problems.value} />}
      {isForm && <DataForm model={model} problems={problems.value} />}
      <CodePane
        model={model}
        library={library}
        document={document}
        problems={problems.value}
        inserter={inserter}
        isHidden={tab === 'options' || isForm}
      />
      <Drawer model={model} library={library} problems={problems.value} inserter={inserter} />
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
