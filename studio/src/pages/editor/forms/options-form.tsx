import { errorOf } from '../../../api/api-error.ts'
import { send } from '../../../api/client.ts'
import { Loaded } from '../../../parts/states.tsx'
import { useResource } from '../../../parts/use-resource.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { JsonObject } from '../model/fields.ts'
import type { Problem } from '../model/problem.ts'
import type { Schema } from './json-schema.ts'
import { labelOf } from './object-field.tsx'
import { SchemaField } from './schema-field.tsx'

interface OptionsSchema {
  /** The OpenAPI document, for `$ref`. */
  root: unknown
  options: Schema
}

let loaded: Promise<OptionsSchema> | undefined

/** The options that this server knows, from its OpenAPI document. It is loaded once. */
function loadOptionsSchema(): Promise<OptionsSchema> {
  loaded ??= load()
  loaded.catch(() => {
    loaded = undefined
  })
  return loaded
}

async function load(): Promise<OptionsSchema> {
  const response = await send(new Request(new URL('/openapi.json', location.origin)))
  const root: unknown = await response.json()
  if (!response.ok) throw errorOf(root, response)
  const { components } = root as { components: { schemas: Record<string, Schema> } }
  return { root, options: components.schemas.TemplateOptions ?? {} }
}

/** The options by what they are about. One that is not here is among the others. */
const groups: readonly { title: string; names: readonly string[] }[] = [
  { title: 'Paper', names: ['format', 'landscape', 'width', 'height', 'prefer_css_page_size', 'single_page'] },
  { title: 'Pages', names: ['margin', 'scale', 'page_ranges', 'print_background', 'media'] },
  { title: 'Language', names: ['locale', 'timezone'] },
  { title: 'Scripts and loading', names: ['javascript', 'wait_for', 'finish_animations', 'timeout_ms', 'base_url'] },
  { title: 'The PDF file', names: ['document_info', 'outline', 'tagged', 'form_fields'] },
  { title: 'Checks', names: ['strict', 'fail_on'] },
]

interface OptionsFormProps {
  model: EditorModel
  problems: readonly Problem[]
}

/** Every option of a template that the server knows. */
export function OptionsForm({ model, problems }: OptionsFormProps) {
  const schema = useResource('options-schema', loadOptionsSchema)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="editor-form" tabIndex={0} aria-label="Options">
      <Loaded resource={schema} failure="The options could not be loaded">
        {(loaded) => <Groups model={model} problems={problems} schema={loaded} />}
      </Loaded>
    </section>
  )
}

function Groups({ model, problems, schema: { root, options: schema } }: OptionsFormProps & { schema: OptionsSchema }) {
  const { properties = {} } = schema
  const grouped = new Set(groups.flatMap(({ names }) => names))
  const others = Object.keys(properties).filter((name) => !grouped.has(name))
  const { options } = model.fields.value
  const problemOf = (path: string) => problems.find((problem) => problem.path === `options.${path}`)?.detail
  return (
    <fieldset disabled={!model.mayWrite}>
      {[...groups, { title: 'More', names: others }].map(({ title, names }) => {
        const known = names.filter((name) => name in properties)
        if (known.length === 0) return null
        return (
          <section key={title} class="editor-options">
            <h2>{title}</h2>
            <div class="editor-fields">
              {known.map((name) => (
                <SchemaField
                  key={name}
                  label={labelOf(name)}
                  schema={properties[name] as Schema}
                  root={root}
                  value={options[name]}
                  path={name}
                  problemOf={problemOf}
                  onChange={(value) => model.change({ options: changed(options, name, value) })}
                />
              ))}
            </div>
          </section>
        )
      })}
    </fieldset>
  )
}

function changed(options: JsonObject, name: string, value: unknown): JsonObject {
  const { [name]: _, ...others } = options
  return value === undefined ? others : { ...options, [name]: value }
}
