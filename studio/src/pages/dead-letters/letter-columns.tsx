import type { Schemas } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { formatNumber } from '../../parts/format.ts'
import type { Column } from '../../parts/table-column.ts'
import { Time } from '../../parts/time.tsx'

export type Letter = Schemas['DeadLetter']

interface Choosing {
  isChosen(id: string): boolean
  onChoose(id: string): void
  owners: ReadonlyMap<string, string>
}

/** The columns of the list. The box of a row chooses it for an act on several. */
export function letterColumns({ isChosen, onChoose, owners }: Choosing): Column<Letter>[] {
  return [
    {
      id: 'choose',
      header: '',
      label: 'Choose',
      width: '26px',
      cell: ({ id }) => (
        <input
          type="checkbox"
          aria-label={`Choose dead letter ${id}`}
          checked={isChosen(id)}
          onChange={() => onChoose(id)}
        />
      ),
    },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ reason, retried_as }) => (
        <>
          {retried_as !== undefined && <Badge>rendered again</Badge>} {reason}
        </>
      ),
    },
    { id: 'subject', header: 'Subject', cell: ({ subject }) => <code class="secondary">{subject}</code> },
    {
      id: 'owner',
      header: 'Owner',
      width: '9rem',
      isWide: true,
      cell: ({ owner_id = '' }) => owners.get(owner_id) ?? <code class="secondary">{owner_id}</code>,
    },
    {
      id: 'attempts',
      header: 'Attempts',
      width: '5.5rem',
      align: 'end',
      isWide: true,
      cell: ({ attempts }) => formatNumber(attempts),
    },
    { id: 'at', header: 'Given up', width: '8rem', cell: ({ at }) => <Time at={at} /> },
  ]
}
