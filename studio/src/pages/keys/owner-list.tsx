import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { api, unwrap } from '../../api/client.ts'
import type { PagedList } from '../../api/paged-list.ts'
import { currentSession } from '../../api/session-state.ts'
import { attempt } from '../../parts/attempt.ts'
import { StatusBadge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import type { Column } from '../../parts/table-column.ts'
import { Time } from '../../parts/time.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { setQuery } from '../../router/address.ts'
import type { Owner } from './resources.ts'

/** All owners: each has templates, documents and keys of its own. */
export function OwnerList({ bar }: { bar: ComponentChildren }) {
  const named = useSignal<Owner | 'new' | undefined>(undefined)
  const list = usePagedList<Owner>(
    'owners',
    (cursor, signal) => {
      const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
      return unwrap(api.GET('/v1/owners', { params: { query }, signal }))
    },
    ({ id }) => id,
  )
  const actions: Column<Owner> = {
    id: 'actions',
    header: '',
    label: 'Actions',
    width: '44px',
    align: 'end',
    cell: (owner) => (
      <Menu
        label={`Actions of ${owner.name}`}
        items={[
          {
            text: 'Show its keys',
            icon: 'key-round',
            run: () =>
              setQuery({ owner: owner.id === currentSession().owner.id ? '' : owner.id, show: '' }, { replace: false }),
          },
          {
            text: 'Rename',
            icon: 'pencil',
            run: () => {
              named.value = owner
            },
          },
          owner.status === 'active'
            ? { text: 'Disable', icon: 'ban', tone: 'danger', run: () => void setStatus(owner, 'disabled', list) }
            : { text: 'Enable', icon: 'circle-check', run: () => void setStatus(owner, 'active', list) },
        ]}
      />
    ),
  }
  const newButton = (
    <Button
      tone="primary"
      icon="plus"
      onClick={() => {
        named.value = 'new'
      }}
    >
      New owner
    </Button>
  )
  return (
    <Page title="Keys" layout="list" bar={bar} actions={newButton}>
      <Table
        label="Owners"
        list={list}
        columns={[...columns, actions]}
        idOf={({ id }) => id}
        empty={<Empty icon="users" title="There are no owners" />}
      />
      {named.value && (
        <OwnerName
          owner={named.value === 'new' ? undefined : named.value}
          onClose={() => {
            named.value = undefined
          }}
          onDone={() => void list.reload()}
        />
      )}
    </Page>
  )
}

const columns: readonly Column<Owner>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <b>{name}</b> },
  { id: 'id', header: 'Id', width: '40%', isWide: true, cell: ({ id }) => <code class="secondary">{id}</code> },
  { id: 'status', header: 'Status', width: '7rem', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'created',
    header: 'Created',
    width: '9.5rem',
    cell: ({ created_at }) => created_at !== undefined && <Time at={created_at} />,
  },
]

async function setStatus(owner: Owner, status: Owner['status'], list: PagedList<Owner>): Promise<void> {
  const { id, name } = owner
  const isConfirmed =
    status === 'active' ||
    (await confirm({
      title: `Disable the owner “${name}”?`,
      body: 'Its API keys are refused until it is enabled again. Its queued work and its webhooks continue.',
      action: 'Disable owner',
      tone: 'danger',
    }))
  if (!isConfirmed) return
  await attempt(async () => {
    const changed = await unwrap(api.PATCH('/v1/owners/{id}', { params: { path: { id } }, body: { status } }))
    list.update((owners) => owners.map((other) => (other.id === id ? changed : other)))
    notify(status === 'active' ? `“${name}” is enabled` : `“${name}” is disabled`)
  })
}

interface OwnerNameProps {
  /** Undefined creates one. */
  owner: Owner | undefined
  onClose(): void
  onDone(): void
}

/** Creates an owner, or renames one. */
function OwnerName({ owner, onClose, onDone }: OwnerNameProps) {
  const name = useSignal(owner?.name ?? '')
  const action = useAction()
  const submit = async () => {
    const body = { name: name.value.trim() }
    const isDone = await action.run(async () => {
      if (owner === undefined) await unwrap(api.POST('/v1/owners', { body }))
      else await unwrap(api.PATCH('/v1/owners/{id}', { params: { path: { id: owner.id } }, body }))
    })
    if (!isDone) return
    onDone()
    onClose()
  }
  const problem = action.problemBeside('name')
  return (
    <FormDialog
      title={owner === undefined ? 'New owner' : `Rename “${owner.name}”`}
      submit={owner === undefined ? 'Create owner' : 'Rename owner'}
      busy={action.busy}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name.value}
        maxLength={100}
        error={action.problemOf('name')}
        onInput={(value) => {
          name.value = value
        }}
      />
    </FormDialog>
  )
}
