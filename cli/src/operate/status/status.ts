import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { gatherStatus } from '@platen/service-kit/status/gather.ts'
import type { StatusReport } from '@platen/service-kit/status/status-report.ts'
import { type CommandContext, defineCommand, exitFound } from '../../frame/command.ts'
import { openServices } from '../../frame/open-services.ts'
import { screenOf } from './screen.ts'
import { sourcesOf } from './sources.ts'

const watchEveryMs = 2_000
/** Moves the cursor to the beginning, and clears what is below it when all is written. */
const [toTop, clearBelow, clearLine] = ['\u001b[H', '\u001b[J', '\u001b[K']

export const status = defineCommand({
  name: 'status',
  summary:
    'print the state of the deployment on one screen: what needs attention, processes, queues, webhooks, disks, the last backup',
  options: { watch: { about: 'print it again every two seconds, until Ctrl-C' } },
  notes: [
    'Exits with 1 if something is wrong. Ends within a few seconds also if NATS or a store does not answer: what depends on it is',
    '"not checked". A process that was killed is shown for a day, or until another one was started in its place.',
  ],
  async run(context, { json, watch }) {
    const { print, terminal, signal } = context
    if (!watch) {
      const report = await lookOnce(context)
      if (json) print(JSON.stringify(report))
      else for (const line of screenOf(report, terminal.hasColours)) print(line)
      return isWrong(report) ? exitFound : 0
    }
    if (terminal.isTTY && !json) print(`${toTop}${clearBelow}`)
    while (!signal.aborted) {
      const report = await lookOnce(context)
      if (signal.aborted) break
      const lines = json ? [JSON.stringify(report)] : screenOf(report, terminal.hasColours)
      if (!json && terminal.isTTY) print(`${toTop}${lines.map((line) => line + clearLine).join('\n')}${clearBelow}`)
      else for (const line of json ? lines : [...lines, '']) print(line)
      await sleep(watchEveryMs, signal)
    }
    return 0
  },
})

/** Gathers the report over new connections, because a server that was unavailable before may be back. */
async function lookOnce({ env }: CommandContext): Promise<StatusReport> {
  await using resources = new AsyncDisposableStack()
  return await gatherStatus(sourcesOf({ env, ...openServices(env, resources, { isReading: true }) }))
}

const isWrong = ({ attention }: StatusReport) => attention.some(({ level }) => level === 'wrong')
