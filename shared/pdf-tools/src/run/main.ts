import type { AnswerMessage, TaskMessage } from '../task/messages.ts'
import { onPart } from '../task/part.ts'
import { failureOf } from './failure-of.ts'
import { runTask } from './run-task.ts'

// The process that reads untrusted PDFs. Its parent bounds its time and memory.

onPart((part) => process.send?.({ part }))

process.on('message', async ({ task, bounds }: TaskMessage) => {
  const answer: AnswerMessage = await runTask(task, bounds).then(
    (result) => ({ result }),
    (err) => ({ failed: failureOf(err) }),
  )
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())
// A terminal sends them to all processes. This one ends with its parent, which waits for the task.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
