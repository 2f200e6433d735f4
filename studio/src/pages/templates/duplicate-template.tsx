import { useSignal } from '@preact/signals'
import { api, type Schemas, unwrap, unwrapExact } from '../../api/client.ts'
import type { PagedList } from '../../api/paged-list.ts'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'

import type { ListedTemplate } from './listed-template.ts'

interface DuplicateTemplateProps {
  template: ListedTemplate
  list: PagedList<ListedTemplate>
  onClose(): void
}

/** Makes a template with the content of another one. */
export function DuplicateTemplate({ template, list, onClose }: DuplicateTemplateProps) {
  const name = useSignal(`${template.name} copy`)
  const action = useAction()
  const submit = async () => {
    const isDone = await action.run(async () => {
      const path = { idOrSlug: template.id }
      const call = api.GET('/v1/templates/{idOrSlug}', { params: { path }, parseAs: 'text' })
      const whole = await unwrapExact<Schemas['Template']>(call)
      await unwrap(api.POST('/v1/templates', { body: copyOf(whole, name.value.trim()) }))
    })
    if (!isDone) return
    onClose()
    notify(`“${name.value.trim()}” was created`)
    await list.reload()
  }
  return (
    <FormDialog
      title={`Duplicate “${template.name}”`}
      submit="Duplicate template"
      busy={action.busy}
      problem={action.problemBeside('name')}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label="Name of the copy"
        value={name.value}
        maxLength={200}
        error={action.problemOf('name')}
        onInput={(value) => {
          name.value = value
        }}
      />
    </FormDialog>
  )
}

type Template = Schemas['Template']
type NewTemplate = Schemas['CreateTemplateRequest']

/** A request that creates a template with the content of another one. Its slug is made of the new name. */
function copyOf(template: Template, name: string): NewTemplate {
  const { html, sample_data, options, header_html, footer_html, data_schema, samples, translations, helpers } = template
  const { follow_partials, retain_input } = template
  const content = { html, sample_data, options, header_html, footer_html, data_schema, samples, translations, helpers }
  // A field without a value is left out of the request.
  const copy: Record<string, unknown> = { name, ...content, follow_partials, retain_input }
  return copy as NewTemplate
}
