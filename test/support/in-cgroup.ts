import { writeFileSync } from 'node:fs'
import { runProcess } from '@platen/service-kit/host/run-process.ts'
import { startPlaten } from '../../deploy/single-node/src/main.ts'

/** `npm start` in a control group: see memory-cgroup.ts. */
const { PLATEN_CGROUP, ...env } = process.env
if (PLATEN_CGROUP !== undefined) writeFileSync(PLATEN_CGROUP, String(process.pid))
process.exit(await runProcess('platen', env, startPlaten()))
