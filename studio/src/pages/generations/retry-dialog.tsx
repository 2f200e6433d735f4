import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { api, type Schemas, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { SelectField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { formatTime } from '../../parts/format.ts'
import { Loaded, Notice } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useResource } from '../../parts/use-resource.ts'
import type { Generation } from './generation-columns.tsx'
import { renderAgain } from './render-again.ts'

/** A version that a document can be rendered with again, as the request names it. */
interface RetryChoice {
  /** In the list of choices. */
  value: string
  text: string
  body: Schemas['RetryRequest']
}

/** The newest versions that are offered: a page of the API. */
const mostVersions = 100

/** The versions that a template has beside the one that was rendered. A deleted one has none. */
interface RetryChoices {
  isDeleted: boolean
  /** Labels, and then versions, the newest first. */
  choices: readonly RetryChoice[]
}

async function readRetryChoices(
  { id, version }: Schemas['TemplateVersion'],
  signal: AbortSignal,
): Promise<RetryChoices> {
  const path = { idOrSlug: id }
  const params = { path, query: { limit: mostVersions } }
  const { data } = await unwrap(api.GET('/v1/templates/{idOrSlug}/versions', { params, signal }))
  if (data[0]?.change === 'deleted') return { isDeleted: true, choices: [] }
  const { labels = {} } = await unwrap(api.GET('/v1/templates/{idOrSlug}', { params: { path }, signal }))
  const ofLabels = Object.entries(labels).flatMap(([label, at]) =>
    at === version
      ? []
      : [{ value: `label ${label}`, text: `${label}, now version ${at}`, body: { template_label: label } }],
  )
  const ofVersions = data
    .filter((one) => one.change !== 'deleted' && one.version !== version)
    .map((one) => ({
      value: String(one.version),
      text: `Version ${one.version} · ${formatTime(one.created_at)}`,
      body: { template_version: one.version },
    }))
  return { isDeleted: false, choices: [...ofLabels, ...ofVersions] }
}

interface RetryDialogProps {
  generation: Generation
  template: Schemas['TemplateVersion']
  onClose(): void
}

const sameVersion = ''

/** Renders a document again: with the same version of its template, or with another one. */
export function RetryDialog({ generation, template, onClose }: RetryDialogProps) {
  const { id, batch } = generation
  const chosen = useSignal<RetryChoice | undefined>(undefined)
  const action = useAction()
  const submit = async () => {
    if (await action.run(() => renderAgain(id, chosen.value?.body))) onClose()
  }
  return (
    <FormDialog
      title="Render the document again"
      submit="Render again"
      busy={action.busy}
      problem={action.problemBeside()}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>A new generation is made from the input that is kept. This one stays as it is.</p>
      {batch !== undefined ? (
        <OnlySame version={template.version}>its batch has the data of each item, but not the request.</OnlySame>
      ) : !mayUse('templates:read') ? (
        <OnlySame version={template.version}>to choose, your API key needs the scope templates:read.</OnlySame>
      ) : (
        <VersionField
          template={template}
          chosen={chosen.value}
          onChoose={(next) => {
            chosen.value = next
          }}
        />
      )}
    </FormDialog>
  )
}

function OnlySame({ version, children }: { version: number; children: ComponentChildren }) {
  return (
    <Notice tone="info">
      Only version {version} of the template, as before: {children}
    </Notice>
  )
}

interface VersionFieldProps {
  template: Schemas['TemplateVersion']
  chosen: RetryChoice | undefined
  onChoose(choice: RetryChoice | undefined): void
}

function VersionField({ template, chosen, onChoose }: VersionFieldProps) {
  const { version } = template
  const resource = useResource<RetryChoices>(`retry choices ${template.id} ${version}`, (signal) =>
    readRetryChoices(template, signal),
  )
  return (
    <Loaded resource={resource} failure="The versions of the template could not be loaded">
      {({ isDeleted, choices }) =>
        isDeleted ? (
          <OnlySame version={version}>the template was deleted.</OnlySame>
        ) : (
          <SelectField
            label="Version of the template"
            value={chosen?.value ?? sameVersion}
            options={[{ value: sameVersion, text: `Same version (${version})` }, ...choices]}
            hint={hintOf(choices.length)}
            onChange={(value) => onChoose(choices.find((one) => one.value === value))}
          />
        )
      }
    </Loaded>
  )
}

function hintOf(choices: number): string {
  const about = 'Another version takes the data and options of the request, if they were kept with retain_input.'
  return choices < mostVersions - 1 ? about : `${about} The newest ${mostVersions} versions are listed.`
}
