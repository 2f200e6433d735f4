import { parentPort } from 'node:worker_threads'
import { defined } from '@platen/foundation/json/defined.ts'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { DomainError } from '../errors/errors.ts'
import { languageOf } from './language.ts'
import { MissingValues, missingValueWarnings } from './missing-values.ts'
import { type OwnHelpers, openOwnHelpers } from './own-helpers.ts'
import { checkTemplate, loadPartials, renderTemplate } from './templates.ts'
import type { Task, TaskResult, WorkerMessage } from './worker-protocol.ts'

const send = (message: WorkerMessage) => parentPort?.postMessage(message)

parentPort?.on('message', async (task: Task) => {
  try {
    send({ kind: 'done', result: task.helpers === undefined ? run(task) : await runWithScript(task, task.helpers) })
  } catch (err) {
    // Any other error is a bug. It ends this worker, and the engine starts another.
    if (!(err instanceof DomainError)) throw err
    send({ kind: 'failed', failure: err.toFailure() })
  }
})

/** QuickJS is loaded by the first task that needs it. */
async function runWithScript(task: Task, script: string): Promise<TaskResult> {
  const { loadQuickJs } = await import('../isolate/quickjs.ts')
  using own = openOwnHelpers(await loadQuickJs(), script, task.kind === 'render' ? task.now : new Date(0))
  return run(task, own)
}

function run(task: Task, own?: OwnHelpers): TaskResult {
  if (task.kind === 'check') return { partials: checkTemplate(task.source, task.name, own?.names) }
  const { now, strict, language = {}, translations } = task
  const data = typeof task.data === 'string' ? (parseExact(task.data) as JsonObject) : task.data
  const { warnings, ...chosen } = languageOf(language, data, { strict })
  const missing = new MissingValues({ data, strict })
  const partials = task.partials && loadPartials(task.partials)
  const filling = { data, now, missing, translations, ...chosen, ...defined({ partials, own }) }
  const texts = Object.entries(task.sources).map(([name, source]) => [name, renderTemplate(source, name, filling)])
  const filled = { texts: Object.fromEntries(texts), warnings: [...warnings, ...missingValueWarnings(missing)] }
  return { filled: { ...filled, ...chosen } }
}

// Warm up the parser and the compiler.
checkTemplate('{{#each items}}{{formatNumber price}}{{/each}}', 'html')
send({ kind: 'ready' })
