import { readConfig } from '@platen/shared/runtime/config.ts'
import { openParts, readPartsConfig } from '@platen/shared/runtime/parts.ts'
import { runProcess } from '@platen/shared/runtime/run-process.ts'
import { readTemplateConfig } from './config.ts'
import { startTemplate } from './start.ts'

await runProcess('template', process.env, async ({ env, log, resources }) => {
  const config = readConfig(env, (settings) => ({ ...readPartsConfig(settings), ...readTemplateConfig(settings) }))
  const parts = await openParts(config, 'template', log, resources)
  resources.use(await startTemplate(config, parts))
  log.info('ready')
})
