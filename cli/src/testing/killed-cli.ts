import { inFileSteps } from '@platen/test-support/file-steps.ts'
import { runCli } from './run-cli.ts'

// A process that runs a command and is killed at a step: node killed-cli.ts <step> <DATA_DIR> <command>. Without being killed it prints how
// many steps there were.

const [last = '', DATA_DIR = '', ...args] = process.argv.slice(2)
const { steps } = await inFileSteps(
  () => runCli({ DATA_DIR }, args),
  Number(last),
  () => process.kill(process.pid, 'SIGKILL'),
)
console.log(steps)
