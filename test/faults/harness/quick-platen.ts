import { runProcess } from '@platen/service-kit/host/run-process.ts'
import { startPlaten } from '../../../deploy/single-node/src/main.ts'
import { quickWebhooks } from './tuning.ts'

await runProcess('platen', process.env, startPlaten({ notifier: quickWebhooks }))
