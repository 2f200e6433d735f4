import type { Status } from './use-status.ts'

/** The path of a list: of all owners, if the status is that of the deployment. */
export function withOwner(path: string, { owner_id }: Pick<Status, 'owner_id'>): string {
  if (owner_id !== undefined) return path
  return `${path}${path.includes('?') ? '&' : '?'}all=owners`
}

/** The runbook of an alert, in the documentation. */
export const runbookOf = (alert: string): string => `/docs/operate/runbooks/${alert}`
