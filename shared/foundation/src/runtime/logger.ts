import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type { Logger } from 'pino'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Writes JSON lines to `destination` or standard output, readable lines to a terminal. Authorization headers are redacted.
 */
export function createLogger(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { name: service },
    timestamp: stdTimeFunctions.isoTime,
    redact: ['authorization', '*.authorization', 'req.headers.authorization', 'headers.authorization'],
  }
  if (destination) return pino(options, destination)
  if (!process.stdout.isTTY) return pino(options)
  const pretty: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
  return pino(
    options,
    pretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l', singleLine: true, sync: true }),
  )
}
