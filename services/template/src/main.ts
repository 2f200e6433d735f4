import { runService } from '@platen/shared/runtime/run-service.ts'
import { readTemplateConfig } from './config.ts'
import { startTemplate } from './start.ts'

await runService(process.env, { name: 'template', readConfig: readTemplateConfig, start: startTemplate })
