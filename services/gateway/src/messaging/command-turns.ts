import { DependencyUnavailable } from '@platen/shared/runtime/errors.ts'
import type { CommandClient, RequestedCommand } from './command-client.ts'

/** Commands of one API key at once: a quarter of what a template service handles at once, TEMPLATE_CONCURRENCY. */
const defaultAtOnce = 4
const defaultMaxWaitMs = 4_500

export interface CommandTurnsOptions {
  atOnce?: number
  /** Of a command, for its turn. */
  maxWaitMs?: number
}

interface Line {
  held: number
  /** In the order of arrival. */
  waiting: Set<() => void>
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

  /** Throws DependencyUnavailable also if the turn of the command does not come in time. */
  async execute<Result>(requested: RequestedCommand): Promise<Result> {
    const { api_key_id: key = '' } = requested.command.metadata
    const line = this.#lines.get(key) ?? { held: 0, waiting: new Set() }
    this.#lines.set(key, line)
    if (line.held < this.#atOnce) line.held += 1
    else await this.#wait(line, requested.command.type)
    try {
      return await this.#client.execute<Result>(requested)
    } finally {
      this.#end(key, line)
    }
  }

  #wait(line: Line, type: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(late)
        resolve()
      }
      const giveUp = () => {
        line.waiting.delete(begin)
        reject(new DependencyUnavailable(`${type} has waited ${this.#maxWaitMs} ms for others of its API key`))
      }
      const late = setTimeout(giveUp, this.#maxWaitMs)
      line.waiting.add(begin)
    })
  }

  /** The turn passes to the next command that waits. */
  #end(key: string, line: Line): void {
    const [next] = line.waiting
    if (next) {
      line.waiting.delete(next)
      next()
      return
    }
    line.held -= 1
    if (line.held === 0) this.#lines.delete(key)
  }
}
