/** A table in plain text. Columns of numbers are aligned right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)))
  const isNumber = header.map((_, column) => rows.every((row) => /^[-–]?[\d.]*( \S+)?$|^–$/.test(row[column] ?? '')))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return isNumber[column] ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [line(header), rule, ...rows.map(line)].join('\n')
}

/** Three significant digits. */
export function significant(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export const between = ([low, high]: readonly [number, number]): string => `${significant(low)} to ${significant(high)}`
