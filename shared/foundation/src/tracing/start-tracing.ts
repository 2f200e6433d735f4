import type { Logger } from '../runtime/logger.ts'
import { type Environment, readConfig } from '../settings/config.ts'
import { optionalText, type TextForm } from '../settings/setting.ts'
import { setTracing } from './tracing.ts'

const httpUrl: TextForm = {
  pattern: /^https?:\/\/[^\s/]+/,
  hint: 'an http or https URL',
  right: ['http://127.0.0.1:4318'],
  wrong: ['localhost:4318', 'grpc://a:4317', '"http://a"'],
}

/** Variables of OpenTelemetry. Its libraries read them, and the others of its specification, themselves. */
export const otlpVariables = {
  endpoint: optionalText('OTEL_EXPORTER_OTLP_ENDPOINT', {
    form: httpUrl,
    secret: true,
    standard: true,
    meaning: 'the URL of the collector',
  }),
  tracesEndpoint: optionalText('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
    form: httpUrl,
    secret: true,
    standard: true,
    meaning: 'the URL of the collector for traces, with its path',
  }),
}

const endpoints = Object.values(otlpVariables).map(({ name }) => name)

/**
 * Turns traces on if OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set. Only then the libraries
 * are loaded. Disposal sends the remaining spans, for three seconds at most.
 */
export async function startTracing(
  env: Environment,
  service: string,
  log: Pick<Logger, 'warn' | 'info'>,
  idAttributes: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable | undefined> {
  if (!isOn(env)) return undefined
  // The exporter would drop all spans, without a word.
  readConfig(env, (settings) => settings.read(otlpVariables))
  const { openOtlpTracing } = await import('./otlp-tracing.ts')
  const traces = openOtlpTracing(env, service, log)
  setTracing({ begin: (name, options) => traces.begin(name, options), idAttributes })
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
