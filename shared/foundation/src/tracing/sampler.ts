import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../runtime/logger.ts'
import type { Environment } from '../settings/config.ts'

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
