import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useAction } from '../../parts/use-action.ts'
import { navigate } from '../../router/address.ts'
import { blankTemplate, createFromExample, type ExampleSlug, examples } from './examples.ts'

const choices = [{ slug: '' as const, name: 'Blank', about: 'One heading and one placeholder' }, ...examples]

/** Creates a template, from nothing or from an example, and opens it. */
export function NewTemplate({ onClose }: { onClose(): void }) {
  const from = useSignal<ExampleSlug | ''>('')
  const name = useSignal('')
  const action = useAction()
  // Until one writes a name, that of the example is taken.
  const exampleName = from.value === '' ? '' : (choices.find(({ slug }) => slug === from.value)?.name ?? '')
  const submit = async () => {
    await action.run(async () => {
      const chosen = name.value.trim() || exampleName
      const { id } =
        from.value === ''
          ? await unwrap(api.POST('/v1/templates', { body: { ...blankTemplate, name: chosen } }))
          : await createFromExample(from.value, chosen)
      onClose()
      await navigate(`/templates/${id}`)
    })
  }
  const problem = action.problemBeside('name')
  return (
    <FormDialog
      title="New template"
      size="wide"
      submit="Create template"
      busy={action.busy}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name.value}
        maxLength={200}
        placeholder={exampleName || 'Monthly invoice'}
        error={action.problemOf('name')}
        onInput={(value) => {
          name.value = value
        }}
      />
      <fieldset class="templates-from">
        <legend>Begin with</legend>
        {choices.map(({ slug, name, about }) => (
          <label key={slug}>
            <input
              type="radio"
              name="from"
              value={slug}
              checked={from.value === slug}
              onChange={() => {
                from.value = slug
              }}
            />
            <b>{name}</b>
            <small>{about}</small>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
