import { runService } from '@platen/service-kit/host/run-service.ts'
import { readNotifierConfig } from './config.ts'
import { startNotifier } from './start.ts'

process.exit(
  await runService(process.env, {
    name: 'notifier',
    readConfig: readNotifierConfig,
    longestWorkMs: ({ timeoutMs }) => timeoutMs,
    start: startNotifier,
  }),
)
