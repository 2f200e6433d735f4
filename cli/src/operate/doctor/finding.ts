import type { CommandContext } from '../../frame/command.ts'

export interface Finding {
  name: string
  /**
   * `note`: it works with a limit that the operator should know. `not checked`: something that it depends on is wrong
   * or was not checked.
   */
  state: 'ok' | 'note' | 'wrong' | 'not checked'
  found: string
  /** The remedy. */
  remedy?: string
}

export interface Check {
  name: string
  /** The remedy if the check fails. */
  remedy: string
  /** The checks before it without which it would only find the same again, or something else that is not so. */
  needs?: readonly string[]
  /** Resolves with what was found, `ok` without a state; throws if it is wrong. */
  check(context: CommandContext): Promise<Partial<Finding> & { found: string }>
}
