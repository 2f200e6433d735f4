import { join } from 'node:path'

/** A receiver that does not answer is given up sooner, and all webhooks are for one host. */
export const quickWebhooks = { timeoutMs: 2_000, concurrency: { total: 100, perHost: 50 } }

export const quickNotifier = join(import.meta.dirname, 'quick-notifier.ts')
export const quickPlaten = join(import.meta.dirname, 'quick-platen.ts')
