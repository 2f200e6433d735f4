import { createLogger, type Logger, type LogLevel } from '@platen/foundation/runtime/logger.ts'

export interface RecordingLog {
  log: Logger
  /** All lines that were logged, as JSON. */
  text(): string
}

/** A logger that keeps its lines instead of writing them. */
export function recordingLog(level: LogLevel = 'info'): RecordingLog {
  let text = ''
  const log = createLogger('test', level, {
    write(line) {
      text += line
    },
  })
  return { log, text: () => text }
}
