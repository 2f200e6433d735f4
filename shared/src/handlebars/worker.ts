import { parentPort } from 'node:worker_threads'
import { DomainError } from '../runtime/errors.ts'
import { checkTemplate, renderTemplate } from './templates.ts'
import type { Task, WorkerMessage } from './worker-protocol.ts'

const send = (message: WorkerMessage) => parentPort?.postMessage(message)

parentPort?.on('message', (task: Task) => {
  try {
    send({ kind: 'done', rendered: run(task) })
  } catch (err) {
    // Any other error is a bug. It ends this worker, and the engine starts another.
    if (!(err instanceof DomainError)) throw err
    send({ kind: 'failed', failure: err.toFailure() })
  }
})

function run(task: Task): Record<string, string> {
  if (task.kind === 'check') {
    checkTemplate(task.source, 'html')
    return {}
  }
  const rendered = Object.entries(task.sources).map(([name, source]) => [
    name,
    renderTemplate(source, name, task.data, task.now),
  ])
  return Object.fromEntries(rendered)
}

// Warm up the parser and the compiler.
checkTemplate('{{#each items}}{{formatNumber price}}{{/each}}', 'html')
send({ kind: 'ready' })
