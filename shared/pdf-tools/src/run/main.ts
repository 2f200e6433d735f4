import type { AnswerMessage, TaskMessage } from '../task/messages.ts'
import { failureOf } from './failure-of.ts'
import { runTask } from './run-task.ts'

// The process that reads untrusted PDFs. Its parent bounds its time and memory.

process.on('message', async ({ task, bounds }: TaskMessage) => {
  const answer: AnswerMessage = await runTask(task, bounds).then(
    (result) => ({ result }),
    (err) => ({ failed: failureOf(err) }),
  )
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())
