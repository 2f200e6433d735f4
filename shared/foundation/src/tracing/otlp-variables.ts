import { DiagLogLevel, diag } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
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

/**
 * Calls `create`, and logs what the libraries report about their variables. Failures to send are reported elsewhere.
 */
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

/**
 * OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG:
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
 */
export function samplerOf(env: Environment, log: Pick<Logger, 'warn'>): Sampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const given = env.OTEL_TRACES_SAMPLER_ARG?.trim()
  const ratio = given ? Number(given) : 1
  const isRatio = ratio >= 0 && ratio <= 1
  if (!isRatio) log.warn({ value: given }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; 1 is used')
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(isRatio ? ratio : 1),
  }
  const root = roots[name.replace(/^parentbased_/, '')]
  if (root === undefined) {
    log.warn({ value: name }, 'OTEL_TRACES_SAMPLER is not known; parentbased_always_on is used')
    return new ParentBasedSampler({ root: new AlwaysOnSampler() })
  }
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root: root() }) : root()
}
