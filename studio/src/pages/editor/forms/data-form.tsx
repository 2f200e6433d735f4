import { parseExact } from '../../../api/exact-json.ts'
import { Notice } from '../../../parts/states.tsx'
import { dataDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { textOfJson } from '../model/fields.ts'
import { parseObject } from '../model/parse-json.ts'
import type { Problem } from '../model/problem.ts'
import type { Schema } from './json-schema.ts'
import { ObjectField } from './object-field.tsx'
import { MakeSchema } from './schema-bar.tsx'
import { SchemaField } from './schema-field.tsx'

/** The data as a form that is made from the schema. It writes the JSON. */
export function DataForm({ model, problems }: { model: EditorModel; problems: readonly Problem[] }) {
  const document = dataDocument(model.set.value)
  const { data_schema } = model.fields.value
  if (data_schema.trim() === '') {
    return (
      <div class="editor-form">
        <p class="field-hint">A form needs a schema, which says what fields the data have.</p>
        <MakeSchema model={model} />
      </div>
    )
  }
  const schema = parseObject(data_schema)
  const data = parseObject(model.text(document), parseExact)
  if ('problem' in schema || 'problem' in data) {
    const [what, { problem }] = 'problem' in schema ? ['schema', schema] : ['JSON', data as { problem: string }]
    return (
      <div class="editor-form">
        <Notice tone="bad">
          The {what} has an error: {problem}
        </Notice>
      </div>
    )
  }
  const problemOf = (path: string) =>
    problems.find((problem) => problem.path === `data.${path}` || problem.path === path)?.detail
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="editor-form" tabIndex={0} aria-label="Data as a form">
      <fieldset disabled={!model.mayWrite}>
        <ObjectField
          key={document}
          Field={SchemaField}
          label={titleOf(schema.value) ?? 'Data'}
          schema={schema.value as Schema}
          root={schema.value}
          value={data.value}
          path=""
          problemOf={problemOf}
          onChange={(value) => model.write(document, textOfJson(value))}
        />
      </fieldset>
    </section>
  )
}

const titleOf = ({ title }: Schema) => title
