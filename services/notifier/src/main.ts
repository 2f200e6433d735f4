import { readConfig } from '@platen/shared/runtime/config.ts'
import { openParts, readPartsConfig } from '@platen/shared/runtime/parts.ts'
import { runProcess } from '@platen/shared/runtime/run-process.ts'
import { readNotifierConfig } from './config.ts'
import { startNotifier } from './start.ts'

await runProcess('notifier', process.env, async ({ env, log, resources }) => {
  const config = readConfig(env, (settings) => ({ ...readPartsConfig(settings), ...readNotifierConfig(settings) }))
  const parts = await openParts(config, 'notifier', log, resources)
  resources.use(await startNotifier(config, parts))
  log.info('ready')
})
