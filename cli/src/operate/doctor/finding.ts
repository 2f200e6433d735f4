import type { CommandContext } from '../../frame/command.ts'

export interface Finding {
  name: string
  /** `note`: it works, with a limit that the operator should know. */
  state: 'ok' | 'note' | 'wrong'
  found: string
  /** What to do. */
  remedy?: string
}

export interface Check {
  name: string
  /** What to do if it fails. */
  remedy: string
  /** Resolves with what was found, `ok` without a state; throws if it is wrong. */
  check(context: CommandContext): Promise<Partial<Finding> & { found: string }>
}
