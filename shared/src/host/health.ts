import { untilAborted } from '../runtime/until-aborted.ts'

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
  /** Absent when no check has details. */
  details?: Record<string, unknown>
}

/** Runs all checks at once. A check that does not settle in time counts as unavailable. */
export async function reportHealth(checks: readonly HealthCheck[], timeoutMs = 2_000): Promise<HealthReport> {
  const results = await Promise.all(
    checks.map(async ({ name, check }) => {
      const passed = await untilAborted(check(), AbortSignal.timeout(timeoutMs)).then(
        () => true,
        () => false,
      )
      return [name, passed] as const
    }),
  )
  const details = checks.flatMap(({ name, detail }) => (detail ? [[name, detail()]] : []))
  return {
    ready: results.every(([, passed]) => passed),
    checks: Object.fromEntries(results.map(([name, passed]) => [name, passed ? 'ok' : 'unavailable'])),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
  }
}
