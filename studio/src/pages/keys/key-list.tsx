import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { api, unwrap } from '../../api/client.ts'
import type { PagedList } from '../../api/paged-list.ts'
import { currentSession } from '../../api/session-state.ts'
import { attempt } from '../../parts/attempt.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { formatTime } from '../../parts/format.ts'
import { Menu } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import type { Column } from '../../parts/table-column.ts'
import { Time } from '../../parts/time.tsx'
import { notify } from '../../parts/toasts.tsx'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { IssueKey } from './issue-key.tsx'
import type { ApiKey } from './resources.ts'
import { RotateKey } from './rotate-key.tsx'

/** The API keys of the owner, newest first. */
export function KeyList({ bar }: { bar: ComponentChildren }) {
  const isIssuing = useSignal(false)
  const rotated = useSignal<ApiKey | undefined>(undefined)
  const list = usePagedList<ApiKey>(
    `keys ${actingOwner.value ?? ''}`,
    (cursor, signal) => {
      const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
      return unwrap(api.GET('/v1/keys', { params: { query }, signal }))
    },
    ({ id }) => id,
  )
  const issue = () => {
    isIssuing.value = true
  }
  useShortcut('c', 'Issue an API key', issue)
  const issueButton = (
    <Button tone="primary" icon="plus" onClick={issue}>
      Issue key
    </Button>
  )
  const actions: Column<ApiKey> = {
    id: 'actions',
    header: '',
    label: 'Actions',
    width: '44px',
    align: 'end',
    cell: (key) =>
      key.status === 'active' && (
        <Menu
          label={`Actions of ${key.name}`}
          items={[
            {
              text: 'Rotate',
              icon: 'refresh-cw',
              run: () => {
                rotated.value = key
              },
            },
            { text: 'Revoke', icon: 'ban', tone: 'danger', run: () => void revokeKey(key, list) },
          ]}
        />
      ),
  }
  return (
    <Page title="Keys" layout="list" bar={bar} actions={issueButton}>
      <Table
        label="API keys"
        list={list}
        columns={[...columns, actions]}
        idOf={({ id }) => id}
        empty={
          <Empty icon="key-round" title="This owner has no keys" action={issueButton}>
            Issue one for each program that uses the API.
          </Empty>
        }
      />
      {isIssuing.value && (
        <IssueKey
          onClose={() => {
            isIssuing.value = false
          }}
          onIssued={() => void list.reload()}
        />
      )}
      {rotated.value && (
        <RotateKey
          apiKey={rotated.value}
          onClose={() => {
            rotated.value = undefined
          }}
          onRotated={() => void list.reload()}
        />
      )}
    </Page>
  )
}

const columns: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    width: '28%',
    cell: ({ id, name, status, previous_valid_until: until }) => (
      <span data-revoked={status === 'revoked' || undefined}>
        <b>{name}</b> {id === currentSession().api_key.id && <Badge>this session</Badge>}
        {status === 'revoked' && <Badge>revoked</Badge>}
        {status === 'active' && until !== undefined && Date.parse(until) > Date.now() && (
          <Badge tone="warn">old secret until {formatTime(until)}</Badge>
        )}
      </span>
    ),
  },
  { id: 'prefix', header: 'Key', width: '7rem', cell: ({ prefix }) => <code>{prefix}…</code> },
  {
    id: 'scopes',
    header: 'Scopes',
    isWide: true,
    cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
  },
  {
    id: 'used',
    header: 'Last used',
    width: '9.5rem',
    cell: ({ last_used_at }) =>
      last_used_at === undefined ? <span class="secondary">never</span> : <Time at={last_used_at} />,
  },
  {
    id: 'created',
    header: 'Issued',
    width: '9.5rem',
    isWide: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
]

/** Asks, and then revokes the key. It stays in the list. */
async function revokeKey({ id, name }: ApiKey, list: PagedList<ApiKey>): Promise<void> {
  const endsSession = id === currentSession().api_key.id
  const isConfirmed = await confirm({
    title: `Revoke the key “${name}”?`,
    body: `Programs that use it are refused at once. A revoked key cannot be used again.${endsSession ? ' You are signed in with it: your session ends.' : ''}`,
    action: 'Revoke key',
    tone: 'danger',
  })
  if (!isConfirmed) return
  await attempt(async () => {
    await unwrap(api.DELETE('/v1/keys/{id}', { params: { path: { id } } }))
    list.update((keys) => keys.map((key) => (key.id === id ? { ...key, status: 'revoked' } : key)))
    notify(`The key “${name}” was revoked`)
  })
}
