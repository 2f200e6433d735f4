/** Pages of the view's file are damaged. Its content cannot be trusted, and must be rebuilt from the log. */
export class DamagedView extends Error {
  override readonly name = 'DamagedView'
}

const corrupt = 11
const notADatabase = 26

/** Whether SQLite has found that the file is not what it wrote: SQLITE_CORRUPT and SQLITE_NOTADB. */
export function isDamage(err: unknown): boolean {
  if (!(err instanceof Error && 'errcode' in err && typeof err.errcode === 'number')) return false
  return [corrupt, notADatabase].includes(err.errcode & 0xff)
}
