import type { Failure } from '../contracts/failure.ts'
import type { JsonObject } from '../contracts/json.ts'

export type Task =
  | { kind: 'check'; source: string }
  | { kind: 'render'; sources: Record<string, string>; data: JsonObject; now: Date }

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'done'; rendered: Record<string, string> }
  | { kind: 'failed'; failure: Failure }
