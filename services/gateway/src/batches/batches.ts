import { resource } from '../http/resource.ts'
import { type BatchRoutesOptions, batchRoutes } from './batch-routes.ts'
import { BatchRuns, type RunBatchesOptions } from './run-batches.ts'

export type BatchesOptions = BatchRoutesOptions & RunBatchesOptions

/** Many documents with one request, and what requests their items one after the other. */
export const batches = resource<BatchesOptions>('batches', async (app, options) => {
  const closing = new AbortController()
  const runs = new BatchRuns(options)
  let running: Promise<void> | undefined
  app.addHook('onReady', async () => {
    running = runs.run(AbortSignal.any([options.stopping, closing.signal]))
  })
  app.addHook('onClose', async () => {
    closing.abort()
    await running
  })
  app.register(batchRoutes, options)
})
