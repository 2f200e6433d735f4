import { readConfig } from '@platen/shared/runtime/config.ts'
import { openParts, readPartsConfig } from '@platen/shared/runtime/parts.ts'
import { runProcess } from '@platen/shared/runtime/run-process.ts'
import { readRendererConfig } from './config.ts'
import { startRenderer } from './start.ts'

await runProcess('renderer', process.env, async ({ env, log, resources }) => {
  const config = readConfig(env, (settings) => ({ ...readPartsConfig(settings), ...readRendererConfig(settings) }))
  const parts = await openParts(config, 'renderer', log, resources)
  resources.use(await startRenderer(config, parts))
  log.info('ready')
})
