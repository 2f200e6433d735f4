import { runProcess } from '@platen/service-kit/host/run-process.ts'
import { startPlaten } from '../../../deploy/single-node/src/main.ts'
import { quickWebhooks } from './tuning.ts'

process.exit(await runProcess('platen', process.env, startPlaten({ notifier: quickWebhooks })))
