import { runService } from '@platen/service-kit/host/run-service.ts'
import { programEnvironment } from './chromium/browser/environment.ts'
import { readRendererConfig } from './config.ts'
import { longestDocumentMs } from './print/time-limit.ts'
import { startRenderer } from './start.ts'

const exitCode = await runService(process.env, {
  name: 'renderer',
  readConfig: readRendererConfig,
  longestWorkMs: longestDocumentMs,
  start: (config, services) => startRenderer(config, services, programEnvironment(process.env)),
})
process.exit(exitCode)
