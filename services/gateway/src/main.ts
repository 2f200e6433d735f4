import { readConfig } from '@platen/shared/runtime/config.ts'
import { openParts, readPartsConfig } from '@platen/shared/runtime/parts.ts'
import { runProcess } from '@platen/shared/runtime/run-process.ts'
import { readGatewayConfig } from './config.ts'
import { startGateway } from './start.ts'

await runProcess('gateway', process.env, async ({ env, log, resources }) => {
  const config = readConfig(env, (settings) => ({ ...readGatewayConfig(settings), parts: readPartsConfig(settings) }))
  const parts = await openParts(config.parts, 'gateway', log, resources)
  resources.use(await startGateway(config, parts))
})
