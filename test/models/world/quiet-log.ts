import type { Logger } from '@platen/foundation/runtime/logger.ts'

const ignore = () => {}

/** A search makes thousands of runs, whose lines nobody reads. */
export const quietLog = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => quietLog,
} as unknown as Logger
