import { availableParallelism } from 'node:os'
import type { SettingsReader } from '@platen/shared/runtime/config.ts'

export interface RendererConfig {
  /** Absent: found on the PATH. */
  chromiumPath: string | undefined
  /** Documents printed at once. */
  slots: number
  /** For one document, all steps together. */
  deadlineMs: number
  /** What documents may fetch: public addresses, nothing, or (for development) anything. */
  egress: 'public' | 'none' | 'any'
  limits: { pages: number; pdfBytes: number }
}

export function readRendererConfig(settings: SettingsReader): RendererConfig {
  return {
    chromiumPath: settings.optionalText('CHROMIUM_PATH', { pattern: /^\//, hint: 'the absolute path of a Chromium' }),
    slots: settings.integer('RENDER_SLOTS', { default: availableParallelism(), min: 1, max: 256 }),
    deadlineMs: settings.integer('RENDER_DEADLINE_MS', { default: 30_000, min: 1_000, max: 600_000 }),
    egress: settings.choice('RENDER_EGRESS', { default: 'public', allowed: ['public', 'none', 'any'] }),
    limits: {
      pages: settings.integer('RENDER_MAX_PAGES', { default: 1_000, min: 1, max: 100_000 }),
      pdfBytes: settings.integer('RENDER_MAX_PDF_BYTES', { default: 50 * 2 ** 20, min: 1, max: 2 ** 31 - 1 }),
    },
  }
}
