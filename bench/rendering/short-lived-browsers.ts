import { runProcess } from '@platen/service-kit/host/run-process.ts'
import { startPlaten } from '../../deploy/single-node/src/main.ts'

/** `npm start` with browsers that are replaced ten times as often, so that a soak test includes replacements. */
process.exit(await runProcess('platen', process.env, startPlaten({ renderer: { browserDocuments: 1_000 } })))
