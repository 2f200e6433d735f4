import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, unwrap } from '../../api/client.ts'
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Notice } from '../../parts/states.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'
import { published } from './chosen-versions.ts'
import type { VersionedTemplate } from './resources.ts'

interface LabelVersionProps {
  template: VersionedTemplate
  version: number
  onChanged(): void
  onClose(): void
}

const another = ''

/** Gives a version a label, or moves one to it. It says what moves from where to where. */
export function LabelVersion({ template, version, onChanged, onClose }: LabelVersionProps) {
  const { id, labels } = template
  const chosen = useSignal<string>(published)
  const written = useSignal('')
  const mayGoBack = useSignal(false)
  const action = useAction()
  // Somebody may have moved a label since the page was loaded.
  useEffect(onChanged, [])
  const label = chosen.value === another ? written.value.trim() : chosen.value
  const at = labels[label]
  const isBack = at !== undefined && at > version
  const submit = async () => {
    const isDone = await action.run(async () => {
      const params = { path: { idOrSlug: id, label } }
      await unwrap(api.PUT('/v1/templates/{idOrSlug}/labels/{label}', { params, body: { version } }))
    })
    if (!isDone) return
    onChanged()
    onClose()
    notify(at === undefined ? `Version ${version} is now “${label}”` : `“${label}” moved to version ${version}`)
  }
  const known = [published, ...Object.keys(labels).filter((name) => name !== published)]
  const options = known.map((name) => {
    const place = labels[name]
    return { value: name, text: place === undefined ? `${name} (new)` : `${name} (now version ${place})` }
  })
  return (
    <FormDialog
      title={`Label version ${version}`}
      submit={at === undefined ? 'Give label' : `Move ${label} ${isBack ? 'back ' : ''}to version ${version}`}
      {...(isBack && { tone: 'danger' as const })}
      busy={action.busy}
      disabled={label === '' || at === version || (isBack && !mayGoBack.value)}
      problem={action.problemBeside('label')}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <SelectField
        label="Label"
        value={chosen.value}
        options={[...options, { value: another, text: 'Another label…' }]}
        onChange={(value) => {
          chosen.value = value
          mayGoBack.value = false
        }}
      />
      {chosen.value === another && (
        <TextField
          label="Name of the label"
          value={written.value}
          maxLength={64}
          placeholder="draft"
          hint="Lower-case letters, digits, full stops, underscores and hyphens."
          error={action.problemOf('label')}
          onInput={(value) => {
            written.value = value
          }}
        />
      )}
      <Consequence label={label} at={at} version={version} />
      {isBack && (
        <CheckField
          label={`Move it back, from version ${at} to version ${version}`}
          hint={`Documents lose what versions ${version + 1} to ${at} have changed.`}
          checked={mayGoBack.value}
          onChange={(isChecked) => {
            mayGoBack.value = isChecked
          }}
        />
      )}
    </FormDialog>
  )
}

interface ConsequenceProps {
  label: string
  at: number | undefined
  version: number
}

/** What the act changes, before it is done. */
function Consequence({ label, at, version }: ConsequenceProps) {
  if (label === '') return null
  if (at === version) return <Notice tone="info">Version {version} has this label already.</Notice>
  return (
    <div class="stack" role="status">
      <p class="versions-move-figure">
        <b>{label}</b>
        <span>{at === undefined ? 'no version' : `version ${at}`}</span>
        <span aria-hidden="true">→</span>
        <span class="visually-hidden">moves to</span>
        <span>version {version}</span>
      </p>
      <p>
        Requests with <code>"template_label": "{label}"</code> print version {version} from then on
        {at === undefined ? '' : `, and no longer version ${at}`}.
      </p>
      {at !== undefined && at > version && (
        <Notice tone="warn">
          Version {version} is older than version {at}: this is a step back.
        </Notice>
      )}
    </div>
  )
}
