import type { ComponentChildren } from 'preact'

interface FactTableProps<Row> {
  title: string
  rows: readonly Row[] | undefined
  columns: readonly { name: string; isNumber?: boolean; of: (row: Row) => ComponentChildren }[]
  keyOf: (row: Row) => string
}

/** A short table that is shown whole. Absent if the rows are not known. */
export function FactTable<Row>({ title, rows, columns, keyOf }: FactTableProps<Row>) {
  if (rows === undefined || rows.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <div class="plain-table-scroller">
        <table class="plain-table" aria-label={title}>
          <thead>
            <tr>
              {columns.map(({ name, isNumber }) => (
                <th scope="col" key={name} data-align={isNumber ? 'end' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ name, isNumber, of }) => (
                  <td key={name} data-align={isNumber ? 'end' : undefined}>
                    {of(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
