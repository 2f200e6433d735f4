import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Loading } from '../../parts/states.tsx'
import { TabText } from '../../parts/tab-text.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { notify } from '../../parts/toasts.tsx'
import { textOf } from '../../parts/use-action.ts'
import { queryValue, setQuery } from '../../router/address.ts'
import { CodePane } from './code/code-pane.tsx'
import type { Inserter } from './code/inserter.ts'
import { DataBar } from './forms/data-bar.tsx'
import { DataForm } from './forms/data-form.tsx'
import { MarginBar } from './forms/margin-bar.tsx'
import { OptionsForm } from './forms/options-form.tsx'
import { SchemaBar } from './forms/schema-bar.tsx'
import { TranslationsBar } from './forms/translations-bar.tsx'
import { Drawer, type DrawerPart } from './library/drawer.tsx'
import { PartialBar } from './library/partial-bar.tsx'
import { uploadFiles } from './library/upload.ts'
import { partialDocument } from './model/documents.ts'
import type { EditorModel } from './model/editor-model.ts'
import { Library } from './model/library.ts'
import type { Problem } from './model/problem.ts'
import { documentOfTab, partialOfTab, tabOf } from './model/tab-of.ts'
import type { PreviewLoop } from './preview/preview-loop.ts'

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
function SourceTabs({ model, problems }: { model: EditorModel; problems: readonly Problem[] }) {
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

interface SourcePaneProps {
  model: EditorModel
  loop: PreviewLoop
  inserter: Inserter
}

/** The sources of the template: texts and forms. */
export function SourcePane({ model, loop, inserter }: SourcePaneProps) {
  const library = useMemo(() => new Library(), [])
  useEffect(() => void library.load(), [])
  const { value: partialChanges } = model.partialChanges
  useEffect(() => {
    if (partialChanges > 0) void library.loadPartials().catch(() => {})
  }, [partialChanges])
  const isDropping = useSignal(false)
  const drawer = useSignal<DrawerPart | undefined>(undefined)
  const takesFiles = ({ dataTransfer }: DragEvent) => model.mayWrite && dataTransfer?.types.includes('Files') === true
  const tab = queryValue('tab')
  const partial = partialOfTab(tab)
  useOpenPartial(model, partial)
  const isOpening = partial !== undefined && !Object.hasOwn(model.fields.value.partials, partial)
  const document = documentOfTab(isOpening ? '' : tab, model.set.value)
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
        drawer.value = 'assets'
        void uploadFiles([...(event.dataTransfer?.files ?? [])], library)
      }}
    >
      <SourceTabs model={model} problems={problems.value} />
      {tab === 'data' && <DataBar model={model} warnings={loop.warnings} />}
      {tab === 'schema' && <SchemaBar model={model} />}
      {(tab === 'header' || tab === 'footer') && <MarginBar model={model} part={tab} />}
      {tab === 'translations' && <TranslationsBar model={model} />}
      {isOpening && <Loading />}
      {partial !== undefined && !isOpening && <PartialBar key={partial} model={model} name={partial} />}
      {tab === 'options' && <OptionsForm model={model} problems={problems.value} />}
      {isForm && <DataForm model={model} problems={problems.value} />}
      <CodePane
        model={model}
        library={library}
        document={document}
        problems={problems.value}
        inserter={inserter}
        isHidden={tab === 'options' || isForm || isOpening}
      />
      <Drawer model={model} library={library} inserter={inserter} problems={problems.value} open={drawer} />
    </section>
  )
}

/** Loads the partial that the address names. */
function useOpenPartial(model: EditorModel, name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    model.openPartial(name).catch((err) => {
      notify(`${name}: ${textOf(err)}`, 'bad')
      setQuery({ tab: '' })
    })
  }, [name])
}
