import { DomainError } from '@platen/domain/http/errors.ts'
import { WaitingLine } from '../http/waiting-line.ts'
import type { CommandClient, RequestedCommand } from './command-client.ts'

/** Commands of one API key at once: a quarter of what a template service handles at once. */
const defaultAtOnce = 4
const defaultMaxWaitMs = 4_500

export interface CommandTurnsOptions {
  atOnce?: number
  /** Of a command, for its turn. */
  maxWaitMs?: number
}

interface Line {
  held: number
  waiting: WaitingLine
}

/**
 * A client that sends the next command of an API key only when an earlier one is answered: a service handles commands in the
 * order of their arrival, so that one key with many slow ones would make those of others wait for all of them.
 */
export class CommandTurns implements CommandClient {
  readonly #client: CommandClient
  readonly #atOnce: number
  readonly #maxWaitMs: number
  readonly #lines = new Map<string, Line>()

  constructor(client: CommandClient, options: CommandTurnsOptions = {}) {
    this.#client = client
    this.#atOnce = options.atOnce ?? defaultAtOnce
    this.#maxWaitMs = options.maxWaitMs ?? defaultMaxWaitMs
  }

  /** Throws RATE_LIMITED, without sending the command, if its turn does not come in time. */
  async execute<Result>(requested: RequestedCommand): Promise<Result> {
    const { api_key_id: key = '' } = requested.command.metadata
    const line = this.#lines.get(key) ?? { held: 0, waiting: new WaitingLine() }
    this.#lines.set(key, line)
    if (line.held < this.#atOnce) line.held += 1
    else await line.waiting.wait(() => {}, { maxWaitMs: this.#maxWaitMs, refusal: tooManyChanges })
    try {
      return await this.#client.execute<Result>(requested)
    } finally {
      this.#end(key, line)
    }
  }

  /** The turn passes to the next command that waits. */
  #end(key: string, line: Line): void {
    if (line.waiting.admit()) return
    line.held -= 1
    if (line.held === 0) this.#lines.delete(key)
  }
}

function tooManyChanges(): DomainError {
  const message =
    'Too many changes of templates and partials by this API key wait for each other, and this one was not made; retry in 1 s'
  return new DomainError('RATE_LIMITED', message, { details: { retry_after_s: 1 } })
}
