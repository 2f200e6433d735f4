import { within } from '../machine/within.ts'

/** What could not be measured. */
export interface Failure {
  /** `all` if it is a part of the benchmark that has no document. */
  document: string
  /** The letter of the strategy, if it is one. */
  strategy: string
  name: string
  reason: string
}

export interface Attempt {
  name: string
  document?: string
  strategy?: string
  limitMs: number
}

/** Records what fails, so that the benchmark goes on with the rest. */
export class Failures {
  readonly all: Failure[] = []
  readonly #say: (text: string) => void

  constructor(say: (text: string) => void) {
    this.#say = say
  }

  /** Resolves with the result; with undefined if the work rejects or takes longer than the limit, which is then in `all`. */
  async attempt<Result>(
    { name, document = 'all', strategy = '', limitMs }: Attempt,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await within(limitMs, work())
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err)
      // The table has one line for each.
      const [line = ''] = reason.split('\n')
      this.all.push({ document, strategy, name, reason: line.slice(0, 200) })
      this.#say(`${name} failed (${document}): ${reason}`)
      return undefined
    }
  }

  has(document: string, strategy: string): boolean {
    return this.all.some((failure) => failure.document === document && failure.strategy === strategy)
  }
}
