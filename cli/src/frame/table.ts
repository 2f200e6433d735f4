/** Lines with aligned columns. The last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, text] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, text.length)
  }
  return rows.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export interface Printing<Row> {
  print: (line: string) => void
  /** Each row as a line of JSON. Else all as a table of these columns. */
  json: boolean
  columns: (row: Row) => readonly string[]
}

export function printRows<Row>(rows: readonly Row[], { print, json, columns }: Printing<Row>): void {
  for (const line of json ? rows.map((row) => JSON.stringify(row)) : alignColumns(rows.map(columns))) print(line)
}
