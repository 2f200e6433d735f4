import type { JsonObject } from '@platen/foundation/json/json.ts'
import { renderTemplate } from '../templates.ts'

const translations = { en: { total: 'Total', greeting: 'Dear {name},' } }

/** Renders a template on this thread at a fixed time, for tests. */
export const rendered = (template: string, data: JsonObject = {}): string =>
  renderTemplate(template, 'html', { data, translations, now: new Date('2026-01-31T12:00:00Z') })
