export type { PlatenEvent } from '@platen/events'
export type { components, operations, paths } from './api-types.ts'
export { Platen } from './client.ts'
export { type EventMessage, type EventMessages, events } from './events.ts'
export type { AssetFilter, BatchFilter, GenerationFilter, List, PartialFilter, TemplateFilter } from './pages.ts'
export type { PdfFile } from './pdf-file.ts'
export { PlatenError, type PlatenErrorCode, unwrap } from './platen-error.ts'
export type {
  Asset,
  CallOptions,
  CompletedGeneration,
  FileOptions,
  GenerateAsyncInput,
  GenerateInput,
  GenerateOptions,
  Generation,
  PlatenOptions,
  PrintedPdf,
} from './types.ts'
export { type GenerationWebhook, type VerifyOptions, verifyWebhook, WebhookVerificationError } from './webhooks.ts'
