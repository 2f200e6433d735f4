import { Button } from '../../../parts/button.tsx'
import { dataDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { textOfJson } from '../model/fields.ts'
import { parseObject } from '../model/parse-json.ts'
import { inferSchema } from './infer-schema.ts'

/** What the schema is for, as long as there is none. */
export function SchemaBar({ model }: { model: EditorModel }) {
  if (model.fields.value.data_schema.trim() !== '') return null
  return (
    <div class="editor-bar editor-hint">
      <span>A JSON Schema refuses wrong data before a document is printed.</span>
      <MakeSchema model={model} />
    </div>
  )
}

/** Writes a schema that the sample data match. */
export function MakeSchema({ model }: { model: EditorModel }) {
  const data = parseObject(model.text(dataDocument(model.set.value)))
  if ('problem' in data || !model.mayWrite) return null
  return (
    <Button icon="braces" onClick={() => model.change({ data_schema: textOfJson(inferSchema(data.value)) })}>
      Make one from the data
    </Button>
  )
}
