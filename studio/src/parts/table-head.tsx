import { Icon } from './icon.tsx'
import type { Column, Sort } from './table-column.ts'

interface HeadProps {
  columns: readonly Omit<Column<never>, 'cell'>[]
  sort: Sort | undefined
}

/** The heads of the columns. A column that the API sorts by has a button. */
export function TableHead({ columns, sort }: HeadProps) {
  return (
    <>
      <colgroup>
        {columns.map(({ id, width, isWide }) => (
          <col key={id} data-wide={isWide || undefined} style={width === undefined ? undefined : { width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ id, header, label, align, isWide, sort: by }) => (
            <th
              key={id}
              scope="col"
              data-align={align}
              data-wide={isWide || undefined}
              aria-sort={by !== undefined && by === sort?.by ? (by === 'name' ? 'ascending' : 'descending') : undefined}
            >
              {by === undefined || sort === undefined ? (
                header || <span class="visually-hidden">{label}</span>
              ) : (
                <button type="button" onClick={() => sort.onSort(by)}>
                  {header}
                  {by === sort.by && <Icon name={by === 'name' ? 'arrow-up' : 'arrow-down'} />}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
    </>
  )
}
