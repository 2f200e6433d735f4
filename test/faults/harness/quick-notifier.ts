import { runService } from '@platen/service-kit/host/run-service.ts'
import { readNotifierConfig } from '../../../services/notifier/src/config.ts'
import { startNotifier } from '../../../services/notifier/src/start.ts'
import { quickWebhooks } from './tuning.ts'

process.exit(
  await runService(process.env, {
    name: 'notifier',
    readConfig: readNotifierConfig,
    start: (config, services) => startNotifier({ ...config, ...quickWebhooks }, services),
  }),
)
