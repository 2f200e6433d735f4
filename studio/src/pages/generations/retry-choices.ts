import { api, type Schemas, unwrap } from '../../api/client.ts'
import { formatTime } from '../../parts/format.ts'

/** A version that a document can be rendered with again, as the request names it. */
export interface RetryChoice {
  /** In the list of choices. */
  value: string
  text: string
  body: Schemas['RetryRequest']
}

/** The newest versions that are offered: a page of the API. */
export const mostVersions = 100

/** The versions that a template has beside the one that was rendered. A deleted one has none. */
export interface RetryChoices {
  isDeleted: boolean
  /** Labels, and then versions, the newest first. */
  choices: readonly RetryChoice[]
}

export async function readRetryChoices(
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
