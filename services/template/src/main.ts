import { runService } from '@platen/service-kit/host/run-service.ts'
import { startTemplate } from './start.ts'

process.exit(
  await runService(process.env, {
    name: 'template',
    readConfig: () => undefined,
    start: (_config, services) => startTemplate(services),
  }),
)
