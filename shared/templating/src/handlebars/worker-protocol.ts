import type { Failure } from '@platen/foundation/errors/failure.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import type { PartialCalls } from './inspect-template.ts'
import type { LanguageOptions } from './language.ts'
import type { Dictionaries } from './translations.ts'

/** The result of a job. */
export interface Filled {
  /** The HTML, under the names of the sources. */
  texts: Record<string, string>
  /** Warnings of filling, with codes such as MISSING_VALUE. */
  warnings: Warning[]
  /** The locale of the options, or of the data if the options name a path. */
  locale?: string
  timezone?: string
}

/** `helpers`: the script of the template, which exports its own helpers. */
export type Task =
  | { kind: 'check'; source: string; name: string; helpers?: string | undefined }
  | {
      kind: 'render'
      sources: Record<string, string>
      partials?: Readonly<Record<string, string>> | undefined
      /** Data as an object, or as JSON text. */
      data: JsonObject | string
      now: Date
      strict: boolean
      language?: LanguageOptions | undefined
      translations?: Dictionaries | undefined
      helpers?: string | undefined
    }

/** What a task returns: the partials that the source calls, or the filled sources. */
export type TaskResult = { partials: PartialCalls } | { filled: Filled }

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'done'; result: TaskResult }
  | { kind: 'failed'; failure: Failure }
