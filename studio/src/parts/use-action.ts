import { useSignal } from '@preact/signals'
import { ApiError } from '../api/api-error.ts'

export interface Action {
  /** Does it, unless it is being done. Resolves with whether it succeeded. */
  run(work: () => Promise<void>): Promise<boolean>
  busy: boolean
  error: unknown
  /** What the API says about a field of the last request. */
  problemOf(path: string): string | undefined
  /** What it says about no field of `paths`, for the foot of a form. */
  problemBeside(...paths: string[]): string | undefined
}

/** Something that a button or a form does with the API: busy while it goes on, and with its error. */
export function useAction(): Action {
  const busy = useSignal(false)
  const error = useSignal<unknown>(undefined)
  return {
    async run(work) {
      if (busy.value) return false
      busy.value = true
      error.value = undefined
      try {
        await work()
        return true
      } catch (err) {
        error.value = err
        return false
      } finally {
        busy.value = false
      }
    },
    get busy() {
      return busy.value
    },
    get error() {
      return error.value
    },
    problemOf(path) {
      const problem = error.value instanceof ApiError ? error.value.problemOf(path) : undefined
      // The API continues the name of the field: `must not be empty`.
      return problem && `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`
    },
    problemBeside(...paths) {
      const { value } = error
      if (value === undefined) return undefined
      if (value instanceof ApiError && paths.some((path) => value.problemOf(path) !== undefined)) return undefined
      return textOf(value)
    },
  }
}

/** An error as one sentence, with the request id if there is one. */
export function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const details = error.problems.map(({ path, message }) => `${path} ${message}`).join('; ')
  // Of one field, the message says the same.
  return error.message.includes(details) ? error.message : `${error.message}: ${details}`
}
