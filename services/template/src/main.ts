import { runService } from '@platen/service-kit/host/run-service.ts'
import { readTemplateConfig } from './config.ts'
import { startTemplate } from './start.ts'

process.exit(
  await runService(process.env, {
    name: 'template',
    readConfig: readTemplateConfig,
    start: (config, services) => startTemplate(config, services),
  }),
)
