import { useSignal } from '@preact/signals'
import { Button, IconButton } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/fields.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { setQuery } from '../../../router/address.ts'
import type { Inserter } from '../code/inserter.ts'
import { partialDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Library } from '../model/library.ts'
import { tabOf } from '../model/tab-of.ts'

interface PartialListProps {
  model: EditorModel
  library: Library
  inserter: Inserter
}

/** The partials. A click writes a call at the cursor; a button opens the source. */
export function PartialList({ model, library, inserter }: PartialListProps) {
  const isNaming = useSignal(false)
  const partials = library.partials.value
  const open = (name: string) => setQuery({ tab: tabOf(partialDocument(name)), pane: '' }, { replace: false })
  return (
    <div class="editor-library">
      {partials.length === 0 && (
        <p class="editor-none">No partials yet. A partial is a fragment that several templates call by its name.</p>
      )}
      <ul class="editor-partials">
        {partials.map(({ name, version }) => (
          <li key={name}>
            <button
              type="button"
              class="option"
              title={`Insert {{> ${name}}}`}
              onClick={() => inserter.insert(`{{> ${name}}}`)}
            >
              <Icon name="layers" />
              <code>{name}</code>
              <small>version {version}</small>
            </button>
            <IconButton
              icon={model.mayWrite ? 'pencil' : 'eye'}
              label={`${model.mayWrite ? 'Edit' : 'Show'} ${name}`}
              onClick={() => open(name)}
            />
          </li>
        ))}
      </ul>
      {model.mayWrite && (
        <div class="editor-upload">
          <Button
            icon="plus"
            onClick={() => {
              isNaming.value = true
            }}
          >
            New partial
          </Button>
        </div>
      )}
      {isNaming.value && (
        <NewPartial
          names={[...partials.map(({ name }) => name), ...Object.keys(model.fields.value.partials)]}
          onNamed={(name) => {
            model.addPartial(name)
            open(name)
          }}
          onClose={() => {
            isNaming.value = false
          }}
        />
      )}
    </div>
  )
}

interface NewPartialProps {
  names: readonly string[]
  onNamed(name: string): void
  onClose(): void
}

/** Asks for the name of a partial, which does not change later. */
function NewPartial({ names, onNamed, onClose }: NewPartialProps) {
  const name = useSignal('')
  const problem = useSignal<string | undefined>(undefined)
  const refusal = (wanted: string) => {
    if (wanted === '') return 'Enter a name.'
    if (names.includes(wanted)) return 'There is a partial with this name.'
    if (!/^[A-Za-z][\w-]*$/.test(wanted)) return 'It begins with a letter, and has letters, digits, _ and - only.'
    return undefined
  }
  const submit = () => {
    const wanted = name.value.trim()
    problem.value = refusal(wanted)
    if (problem.value !== undefined) return
    onClose()
    onNamed(wanted)
  }
  return (
    <FormDialog title="New partial" submit="Create partial" onSubmit={submit} onClose={onClose}>
      <TextField
        label="Name"
        hint="Such as letterhead. Templates print it as {{> letterhead}}."
        maxLength={64}
        value={name.value}
        error={problem.value}
        onInput={(value) => {
          name.value = value
        }}
      />
    </FormDialog>
  )
}
