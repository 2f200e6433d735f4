import type { Logger } from '@platen/foundation/runtime/logger.ts'

const ignore = () => {}

/** Drops the log, as a search makes thousands of runs. */
export const quietLog = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => quietLog,
} as unknown as Logger
