import type { Failure } from '../contracts/failure.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { PartialCalls } from './inspect-template.ts'

export type Task =
  | { kind: 'check'; source: string; name: string }
  | {
      kind: 'render'
      sources: Record<string, string>
      partials?: Readonly<Record<string, string>> | undefined
      data: JsonObject
      now: Date
    }

/** What a task returns: the partials that the source calls, or the rendered sources by name. */
export type TaskResult = { partials: PartialCalls } | { rendered: Record<string, string> }

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'done'; result: TaskResult }
  | { kind: 'failed'; failure: Failure }
