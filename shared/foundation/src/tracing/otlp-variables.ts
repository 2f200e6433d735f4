import { DiagLogLevel, diag } from '@opentelemetry/api'
import type { Logger } from '../runtime/logger.ts'
import type { Environment } from '../settings/config.ts'

type Log = Pick<Logger, 'warn'>

/** A number of milliseconds or spans; undefined, with a warning, if it is none. */
export function numberOf(name: string, env: Environment, log: Log): number | undefined {
  const value = env[name]?.trim() || undefined
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  log.warn({ value }, `${name} must be a number; the default is used`)
  return undefined
}

/** The libraries ignore the wrong parts of a list in silence. The values may be secrets. */
export function warnOfWrongLists(env: Environment, log: Log): void {
  const lists = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES']
  for (const name of lists) {
    const parts = (env[name] ?? '').split(',').filter((part) => part.trim() !== '')
    if (parts.every((part) => /^\s*[^\s=]+\s*=/.test(part))) continue
    log.warn({ name }, `${name} must be <name>=<value>, or several separated by commas; others are ignored`)
  }
}

/** Calls `create`, and logs what the libraries say meanwhile of their variables. Failures to send are reported elsewhere. */
export function reportingWrongVariables<Result>(log: Log, create: () => Result): Result {
  const say = (text: string) => log.warn({}, /OTEL_/.test(text) ? text : `OTEL_EXPORTER_OTLP_…: ${text}`)
  const quiet = () => {}
  diag.setLogger({ error: say, warn: say, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN)
  try {
    return create()
  } finally {
    diag.disable()
  }
}
