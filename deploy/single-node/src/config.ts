import { join, resolve } from 'node:path'
import { type Environment, readConfig, type SettingsReader } from '@platen/foundation/settings/config.ts'
import { readGatewayConfig } from '@platen/gateway/config.ts'
import { natsUrl } from '@platen/messaging/connection/nats-options.ts'
import { readNotifierConfig } from '@platen/notifier/config.ts'
import { readRendererConfig } from '@platen/renderer/config.ts'
import { readBackingServicesConfig } from '@platen/service-kit/host/backing-services.ts'
import { readTemplateConfig } from '@platen/template/config.ts'

/** The folder for everything that has no URL setting of its own. */
export function readDataDir(env: Environment): string {
  return resolve(readConfig(env, (settings) => settings.text('DATA_DIR', { default: './data' })))
}

export interface NatsChildConfig {
  /** Undefined: a nats-server child process is started. */
  natsUrl: string | undefined
  natsPort: number
  /** The program of the child process. */
  natsServerPath: string
}

export function readNatsChildConfig(env: Environment): NatsChildConfig {
  return readConfig(env, (settings) => ({
    natsUrl: settings.optionalText('NATS_URL', { ...natsUrl, secret: true }),
    natsServerPath: settings.text('NATS_SERVER_PATH', {
      default: 'nats-server',
      pattern: /^(\/.+|nats-server)$/,
      hint: 'the absolute path of a nats-server',
    }),
    natsPort: settings.integer('NATS_PORT', { default: 14_222, min: 1, max: 65_535 }),
  }))
}

/** The environment of the services, with defaults for the backing services of this process. */
export function withEmbeddedServices(
  env: Environment,
  dataDir: string,
  found: { natsUrl: string; signingSecret: string; eventsMaxMb?: number | undefined },
) {
  const defaults = {
    NATS_URL: found.natsUrl,
    EVENT_STORE_URL: `sqlite:${join(dataDir, 'events.db')}`,
    OBJECT_STORE_URL: `file:${join(dataDir, 'objects')}`,
    SIGNING_SECRET: found.signingSecret,
    ...(found.eventsMaxMb !== undefined && { EVENTS_MAX_MB: `${found.eventsMaxMb}` }),
    PUBLIC_URL: localUrl(env.HOST?.trim() || '127.0.0.1', env.PORT?.trim() || '3000'),
  }
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  return { ...defaults, ...given, DATA_DIR: dataDir }
}

export function readServicesConfig(settings: SettingsReader) {
  const renderer = readRendererConfig(settings)
  return {
    backingServices: readBackingServicesConfig(settings),
    // The gateway shares the processors with the renderer: one API key has half of the slots while others send requests.
    gateway: { ...readGatewayConfig(settings), requestsAtOnce: Math.ceil(renderer.slots / 2) },
    template: readTemplateConfig(settings),
    renderer,
    notifier: readNotifierConfig(settings),
  }
}

/** The URL for clients on this machine. HOST and PORT are reported elsewhere if they are wrong. */
function localUrl(host: string, port: string): string {
  const local = `http://127.0.0.1:${port}`
  const url = host === '0.0.0.0' || host === '::' ? local : `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return [url, local].find((url) => URL.canParse(url)) ?? 'http://127.0.0.1'
}
