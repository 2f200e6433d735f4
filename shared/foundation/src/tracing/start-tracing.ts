import type { Logger } from '../runtime/logger.ts'
import { type Environment, readConfig } from '../settings/config.ts'
import { setTracing } from './tracing.ts'

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
const httpUrl = { pattern: /^https?:\/\/[^\s/]+/, hint: 'an http or https URL', secret: true }

/**
 * Turns traces on if OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set. The libraries are loaded
 * only then. Disposal sends what is left, for three seconds at most.
 */
export async function startTracing(
  env: Environment,
  service: string,
  log: Pick<Logger, 'warn' | 'info'>,
): Promise<AsyncDisposable | undefined> {
  if (!isOn(env)) return undefined
  // The exporter would drop all spans, without a word.
  readConfig(env, (settings) => endpoints.map((name) => settings.optionalText(name, httpUrl)))
  const { openOtlpTracing } = await import('./otlp-tracing.ts')
  const traces = openOtlpTracing(env, service, log)
  setTracing(traces)
  return {
    async [Symbol.asyncDispose]() {
      setTracing(undefined)
      await traces.close()
    },
  }
}

function isOn(env: Environment): boolean {
  const isSet = (name: string) => (env[name] ?? '').trim() !== ''
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false
  if (env.OTEL_TRACES_EXPORTER?.trim() === 'none') return false
  return endpoints.some(isSet)
}
