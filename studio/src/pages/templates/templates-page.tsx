import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import type { Column } from '../../parts/table-column.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { queryValue, setQuery } from '../../router/address.ts'
import { DuplicateTemplate } from './duplicate-template.tsx'
import type { ListedTemplate } from './listed-template.ts'
import { NewTemplate } from './new-template.tsx'
import { TemplateActions } from './template-actions.tsx'

type Sort = 'created' | 'updated' | 'name'

const sorts: readonly string[] = ['created', 'updated', 'name']

/** The templates of the owner: search, sort, create, duplicate, delete, restore. */
export function TemplatesPage() {
  const isCreating = useSignal(false)
  const duplicated = useSignal<ListedTemplate | undefined>(undefined)
  const [q, wanted, shown] = [queryValue('q'), queryValue('sort'), queryValue('show')]
  const sort = sorts.includes(wanted) ? (wanted as Sort) : 'updated'
  const isDeleted = shown === 'deleted'
  const list = usePagedList<ListedTemplate>(
    `${isDeleted ? 'deleted-templates' : 'templates'} ${JSON.stringify([actingOwner.value, q, sort])}`,
    (cursor, signal) => {
      const common = { limit: pageSize, summary: true, ...(cursor !== undefined && { cursor }) }
      const query = isDeleted ? { ...common, deleted: true } : { ...common, sort, ...(q !== '' && { q }) }
      return unwrap(api.GET('/v1/templates', { params: { query }, signal }))
    },
    ({ id }) => id,
  )
  const mayWrite = mayUse('templates:write')
  const create = () => {
    isCreating.value = true
  }
  useShortcut('c', 'Create a template', () => mayWrite && create())
  const newButton = mayWrite && (
    <Button tone="primary" icon="plus" onClick={create}>
      New template
    </Button>
  )
  const empty = isDeleted ? (
    <Empty icon="trash-2" title="No deleted templates">
      A template that is deleted is listed here, and can be restored.
    </Empty>
  ) : q !== '' ? (
    <Empty
      icon="search"
      title={`No template matches “${q}”`}
      action={<Button onClick={() => setQuery({ q: '' })}>Show all</Button>}
    >
      The search looks for a part of the name or of the slug.
    </Empty>
  ) : (
    <Empty icon="file-text" title="No templates yet" action={newButton}>
      A template is HTML with placeholders. Begin with an example, and change it while you see the PDF.
    </Empty>
  )
  const actions: Column<ListedTemplate> = {
    id: 'actions',
    header: '',
    label: 'Actions',
    width: '44px',
    align: 'end',
    cell: (template) => (
      <TemplateActions
        template={template}
        list={list}
        onDuplicate={() => {
          duplicated.value = template
        }}
      />
    ),
  }
  const columns = [...(isDeleted ? deletedColumns : activeColumns), ...(mayWrite ? [actions] : [])]
  return (
    <Page
      title="Templates"
      layout="list"
      actions={newButton}
      bar={
        <>
          <Tabs
            label="Which templates"
            name="show"
            tabs={[
              { value: '', text: 'Active' },
              { value: 'deleted', text: 'Deleted' },
            ]}
          />
          {!isDeleted && <SearchField label="Search templates" placeholder="Search by name or slug" />}
        </>
      }
    >
      <Table
        label={isDeleted ? 'Deleted templates' : 'Templates'}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        {...(!isDeleted && { linkOf: ({ id }: ListedTemplate) => `/templates/${id}` })}
        {...(!isDeleted && { sort: { by: sort, onSort: (by: string) => setQuery({ sort: by }) } })}
        empty={empty}
      />
      {isCreating.value && (
        <NewTemplate
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
      {duplicated.value && (
        <DuplicateTemplate
          template={duplicated.value}
          list={list}
          onClose={() => {
            duplicated.value = undefined
          }}
        />
      )}
    </Page>
  )
}

const name: Column<ListedTemplate> = { id: 'name', header: 'Name', sort: 'name', cell: ({ name }) => name }
const slug: Column<ListedTemplate> = {
  id: 'slug',
  header: 'Slug',
  isWide: true,
  width: '26%',
  cell: ({ slug }) => <code class="secondary">{slug}</code>,
}
const created: Column<ListedTemplate> = {
  id: 'created',
  header: 'Created',
  sort: 'created',
  width: '9.5rem',
  isWide: true,
  cell: ({ created_at }) => <Time at={created_at} />,
}

const activeColumns: readonly Column<ListedTemplate>[] = [
  name,
  slug,
  {
    id: 'labels',
    header: 'Labels',
    width: '10rem',
    isWide: true,
    cell: ({ labels = {} }) =>
      Object.entries(labels).map(([label, version]) => <Badge key={label}>{`${label} ${version}`}</Badge>),
  },
  { id: 'version', header: 'Version', width: '5.5rem', align: 'end', cell: ({ version }) => version },
  {
    id: 'updated',
    header: 'Updated',
    sort: 'updated',
    width: '9.5rem',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  created,
]

const deletedColumns: readonly Column<ListedTemplate>[] = [
  name,
  slug,
  {
    id: 'deleted',
    header: 'Deleted',
    width: '9.5rem',
    cell: ({ deleted_at }) => deleted_at !== undefined && <Time at={deleted_at} />,
  },
  created,
]
