import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'

/** A dependency shown by `/readyz`. `check` rejects while it cannot be used. */
export interface HealthCheck {
  name: string
  check(): Promise<void>
  /** More about its state, as JSON. */
  detail?(): unknown
}

export interface HealthReport {
  ready: boolean
  checks: Record<string, 'ok' | 'unavailable'>
  /** Why a check is unavailable. Absent when all are ok. */
  reasons?: Record<string, string>
  /** Absent when no check has details. */
  details?: Record<string, unknown>
}

/** Runs all checks at once. A check that does not settle in time counts as unavailable. */
export async function reportHealth(checks: readonly HealthCheck[], timeoutMs = 2_000): Promise<HealthReport> {
  const results = await Promise.all(
    checks.map(async ({ name, check }) => {
      const failure = await untilAborted(check(), AbortSignal.timeout(timeoutMs)).then(
        () => undefined,
        (err) => reasonOf(err, timeoutMs),
      )
      return [name, failure] as const
    }),
  )
  const reasons = results.flatMap(([name, failure]) => (failure === undefined ? [] : [[name, failure] as const]))
  const details = checks.flatMap(({ name, detail }) => (detail ? [[name, detail()]] : []))
  return {
    ready: reasons.length === 0,
    checks: Object.fromEntries(results.map(([name, failure]) => [name, failure === undefined ? 'ok' : 'unavailable'])),
    ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
  }
}

function reasonOf(err: unknown, timeoutMs: number): string {
  if (!(err instanceof Error)) return String(err)
  return err.name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : err.message.slice(0, 500)
}
