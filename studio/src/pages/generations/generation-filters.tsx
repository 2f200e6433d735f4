import { api, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { isOfAllOwners } from '../../parts/all-owners.tsx'
import { ChoiceFilter } from '../../parts/filters/choice-filter.tsx'
import { Filters } from '../../parts/filters/filters.tsx'
import { TimeFilter } from '../../parts/filters/time-filter.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useResource } from '../../parts/use-resource.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { queryValue } from '../../router/address.ts'

import { filterNames } from './generation-filter.ts'
import { knowTemplateNames, templateName } from './template-names.ts'

/** The codes with which a generation fails, for the filter. */
const failureCodes = [
  'TEMPLATE_RENDER_ERROR',
  'TEMPLATE_SYNTAX_ERROR',
  'TEMPLATE_TOO_COMPLEX',
  'TEMPLATE_NOT_FOUND',
  'PARTIAL_NOT_FOUND',
  'ASSET_NOT_FOUND',
  'VALIDATION_ERROR',
  'RENDER_FAILED',
  'RENDER_LIMIT_EXCEEDED',
  'PDF_TOO_COMPLEX',
  'RENDER_TIMEOUT',
  'INPUT_DELETED',
  'STORAGE_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const

const statuses = ['', 'queued', 'rendering', 'completed', 'failed', 'cancelled'].map((value) => ({
  value,
  text: value === '' ? 'All' : value.charAt(0).toUpperCase() + value.slice(1),
}))

/** The filters of the list, all of them part of the address. */
export function GenerationFilters() {
  return (
    <>
      <Tabs label="Status" name="status" tabs={statuses} />
      <SearchField label="Search generations" placeholder="Search by file name or id" />
      <Filters names={filterNames}>
        {mayUse('templates:read') && <TemplateFilter />}
        {mayUse('admin') && <KeyFilter />}
        <TimeFilter />
        <ChoiceFilter
          label="Warnings"
          name="warnings"
          choices={[
            { value: 'yes', text: 'With warnings' },
            { value: 'no', text: 'Without warnings' },
          ]}
        />
        <ChoiceFilter label="Error" name="error" choices={failureCodes.map((code) => ({ value: code, text: code }))} />
      </Filters>
    </>
  )
}

function TemplateFilter() {
  const chosen = queryValue('template')
  const templates = useResource(`template choices ${actingOwner.value ?? ''}`, async (signal) => {
    const query = { limit: 100, summary: true, sort: 'updated' as const }
    const { data } = await unwrap(api.GET('/v1/templates', { params: { query }, signal }))
    knowTemplateNames(data)
    return data
  })
  const listed = (templates.value ?? []).map(({ id, name }) => ({ value: id, text: name }))
  const isListed = chosen === '' || listed.some(({ value }) => value === chosen)
  const name = isListed || !chosen.startsWith('tpl_') ? undefined : templateName(chosen)
  const version = queryValue('version')
  const choices = isListed ? listed : [{ value: chosen, text: name ?? chosen }, ...listed]
  const label = version === '' ? 'Template' : `Template, version ${version}`
  return <ChoiceFilter label={label} name="template" choices={choices} clears={['version']} />
}

function KeyFilter() {
  const keys = useResource(`key choices ${actingOwner.value ?? ''}`, (signal) =>
    unwrap(api.GET('/v1/keys', { params: { query: { limit: 100 } }, signal })),
  )
  if (isOfAllOwners()) return null
  const choices = (keys.value?.data ?? []).map(({ id, name }) => ({ value: id, text: name }))
  return <ChoiceFilter label="Key" name="key" choices={choices} />
}
