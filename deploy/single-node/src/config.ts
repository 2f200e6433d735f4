import { join, resolve } from 'node:path'
import { type Environment, readConfig, type SettingsReader } from '@platen/foundation/settings/config.ts'
import { integer, optional, text } from '@platen/foundation/settings/setting.ts'
import { longestRequestMs, readGatewayConfig } from '@platen/gateway/config.ts'
import { natsSettings } from '@platen/messaging/connection/nats-options.ts'
import { readNotifierConfig } from '@platen/notifier/config.ts'
import { readRendererConfig } from '@platen/renderer/config.ts'
import { longestDocumentMs } from '@platen/renderer/print/time-limit.ts'
import { readBackingServicesConfig } from '@platen/service-kit/host/backing-services.ts'
import { dataDir } from '@platen/service-kit/host/common-settings.ts'

/** The folder for everything that has no URL setting of its own. */
export function readDataDir(env: Environment): string {
  return resolve(readConfig(env, (settings) => settings.read({ dataDir }).dataDir))
}

export const natsChildSettings = {
  /** Undefined: a nats-server child process is started. */
  natsUrl: optional(natsSettings.url),
  natsPort: integer('NATS_PORT', {
    default: 14_222,
    min: 1,
    max: 65_535,
    meaning: 'port of the `nats-server` child process, for [subscribers](../guides/subscribe.md)',
    setFirst: true,
  }),
  /** The program of the child process. */
  natsServerPath: text('NATS_SERVER_PATH', {
    default: 'nats-server',
    form: {
      pattern: /^(\/.+|nats-server)$/,
      hint: 'the absolute path of a nats-server',
      right: ['/usr/sbin/nats-server'],
      wrong: ['./nats-server', 'nats', '"/usr/sbin/nats-server"'],
    },
    shownDefault: 'found in `PATH`',
    meaning: 'the nats-server to run',
  }),
}

export function readNatsChildConfig(env: Environment) {
  return readConfig(env, (settings) => settings.read(natsChildSettings))
}

/** The environment of the services, with defaults for the backing services of this process. */
export function withEmbeddedServices(
  env: Environment,
  dataDir: string,
  found: { natsUrl: string; signingSecret: string },
) {
  const defaults = {
    NATS_URL: found.natsUrl,
    EVENT_STORE_URL: `sqlite:${join(dataDir, 'events.db')}`,
    OBJECT_STORE_URL: `file:${join(dataDir, 'objects')}`,
    SIGNING_SECRET: found.signingSecret,
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
    renderer,
    notifier: readNotifierConfig(settings),
  }
}

/**
 * How long the work takes at most that a shutdown lets finish, in ms. The services stop one after the other: the gateway first, whose
 * clients wait for the renderer, which is the last.
 */
export const longestWorkMs = (
  config: Pick<ReturnType<typeof readServicesConfig>, 'gateway' | 'notifier' | 'renderer'>,
) => longestRequestMs(config.gateway) + config.notifier.timeoutMs + longestDocumentMs(config.renderer)

/** The URL for clients on this machine. HOST and PORT are reported elsewhere if they are wrong. */
function localUrl(host: string, port: string): string {
  const local = `http://127.0.0.1:${port}`
  const url = host === '0.0.0.0' || host === '::' ? local : `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return [url, local].find((url) => URL.canParse(url)) ?? 'http://127.0.0.1'
}
