import { DatabaseSync } from 'node:sqlite'

/** The database as SQL, which can be read and compared: tables with their rows, then indexes and triggers, and the format. */
export function dumpDatabase(path: string): string {
  using database = new DatabaseSync(path, { readOnly: true })
  const all = (sql: string) => database.prepare(sql).all()
  const schema = all("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
  const tables = schema.filter(({ type }) => type === 'table')
  const rows = tables.flatMap(({ name }) => {
    const columns = all(`SELECT name FROM pragma_table_info('${name}')`)
    const quoted = columns.map((column) => `quote("${column.name}")`).join(` || ',' || `)
    return all(`SELECT ${quoted} AS row FROM "${name}"`).map(({ row }) => `INSERT INTO "${name}" VALUES(${row});`)
  })
  const { user_version } = all('PRAGMA user_version')[0] ?? {}
  const { application_id } = all('PRAGMA application_id')[0] ?? {}
  return `${[
    ...tables.map(({ sql }) => `${sql};`),
    ...rows,
    ...schema.filter(({ type }) => type !== 'table').map(({ sql }) => `${sql};`),
    `PRAGMA user_version = ${user_version};`,
    `PRAGMA application_id = ${application_id};`,
  ].join('\n')}\n`
}
