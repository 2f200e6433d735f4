import type { Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../parts/badge.tsx'
import { AttemptBadge } from '../../parts/delivery/attempts.tsx'
import { formatNumber, formatRelative } from '../../parts/format.ts'
import type { Column } from '../../parts/table-column.ts'
import { Time } from '../../parts/time.tsx'

export type Delivery = Schemas['Delivery']

/** Names a delivery for the API: one of a list of all owners with its owner. */
export function paramsOf({ id, owner_id: owner }: Pick<Delivery, 'id' | 'owner_id'>) {
  return { path: { id }, query: owner === undefined ? {} : { owner } }
}

/** The columns of the list. That of all owners names the owner of each, for which it has the names of owners. */
export function deliveryColumns(owners: ReadonlyMap<string, string> | undefined): Column<Delivery>[] {
  return owners === undefined
    ? [endpoint, ...answer, type, ...schedule]
    : [endpoint, ownerColumn(owners), ...answer, ...schedule]
}

const endpoint: Column<Delivery> = {
  id: 'endpoint',
  header: 'Endpoint',
  cell: ({ url }) => <Endpoint url={url} />,
}

function ownerColumn(owners: ReadonlyMap<string, string>): Column<Delivery> {
  return {
    id: 'owner',
    header: 'Owner',
    width: '9rem',
    cell: ({ owner_id = '' }) => owners.get(owner_id) ?? <code class="secondary">{owner_id}</code>,
  }
}

const answer: readonly Column<Delivery>[] = [
  { id: 'status', header: 'Status', width: '7rem', cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'answer', header: 'Last answer', width: '7.5rem', cell: ({ attempts }) => <LastAnswer attempts={attempts} /> },
]

const type: Column<Delivery> = {
  id: 'type',
  header: 'Event',
  width: '12rem',
  isWide: true,
  cell: ({ type }) => <code class="secondary">{type}</code>,
}

const schedule: readonly Column<Delivery>[] = [
  {
    id: 'attempts',
    header: 'Attempts',
    width: '5.5rem',
    align: 'end',
    cell: ({ attempts }) => formatNumber(attempts.length),
  },
  {
    id: 'next',
    header: 'Next attempt',
    width: '8rem',
    isWide: true,
    cell: ({ status, next_attempt_at }) =>
      status === 'pending' && next_attempt_at !== undefined && <Next at={next_attempt_at} />,
  },
  { id: 'created', header: 'Scheduled', width: '9rem', cell: ({ created_at }) => <Time at={created_at} /> },
]

function Endpoint({ url }: { url: string }) {
  const { host, pathname, search } = new URL(url)
  return (
    <>
      {host}
      <span class="deliveries-path">{pathname === '/' ? '' : pathname + search}</span>
    </>
  )
}

function LastAnswer({ attempts }: { attempts: Delivery['attempts'] }) {
  const last = attempts.at(-1)
  return last === undefined ? null : <AttemptBadge attempt={last} />
}

function Next({ at }: { at: string }) {
  return <>{Date.parse(at) <= Date.now() ? 'now' : formatRelative(at)}</>
}
