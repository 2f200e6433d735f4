import { useEffect, useRef } from 'preact/hooks'
import { type DocumentId, partialOf, setOf } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Library } from '../model/library.ts'
import type { Problem } from '../model/problem.ts'
import { CodeView } from './code-view.ts'
import { completionsFor } from './completions.ts'
import type { Inserter } from './inserter.ts'

interface CodePaneProps {
  model: EditorModel
  library: Library
  document: DocumentId
  problems: readonly Problem[]
  inserter: Inserter
  isHidden: boolean
}

const labels: Readonly<Record<string, string>> = {
  html: 'Body, HTML with Handlebars',
  header_html: 'Header, HTML with Handlebars',
  footer_html: 'Footer, HTML with Handlebars',
  sample_data: 'Sample data, JSON',
  data_schema: 'JSON Schema of the data',
  translations: 'Translations, JSON',
  helpers: 'Helpers, JavaScript',
}

function labelOf(id: DocumentId): string {
  const partial = partialOf(id)
  if (partial !== undefined) return `Partial ${partial}, HTML with Handlebars`
  return labels[id] ?? `Set of data ${setOf(id)}, JSON`
}

/** The editor of a document. Escape, then Tab, leaves it by keyboard. */
export function CodePane({ model, library, document, problems, inserter, isHidden }: CodePaneProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<CodeView>(undefined)
  useEffect(() => {
    const { current } = host
    if (current === null) return
    const opened = new CodeView(current, {
      readOnly: !model.mayWrite,
      labelOf,
      onChange: (id, text) => model.write(id, text),
      more: (id) => completionsFor(id, model, library),
    })
    view.current = opened
    inserter.view = opened
    const focus = () => opened.focus()
    current.addEventListener('focus-code', focus)
    return () => {
      current.removeEventListener('focus-code', focus)
      inserter.view = undefined
      opened.destroy()
    }
  }, [])
  const text = model.text(document)
  useEffect(() => {
    if (view.current !== undefined) view.current.isHidden = isHidden
    if (isHidden) return
    // By now, more may have been typed than was rendered.
    view.current?.show(document, model.text(document))
    inserter.shown()
  }, [document, text, isHidden])
  useEffect(() => {
    if (!isHidden) view.current?.mark(problems)
  }, [document, problems, isHidden])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the editor inside takes the keys
    <div
      ref={host}
      class="editor-code"
      data-pane-focus
      hidden={isHidden}
      onKeyDown={(event) => {
        // What is typed here is no shortcut of the studio: its event names this element, which is no field.
        if (!event.ctrlKey && !event.metaKey && event.key !== 'F6') event.stopPropagation()
      }}
    />
  )
}
