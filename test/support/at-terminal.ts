import { existsSync } from 'node:fs'
import { shellWord } from '@platen/foundation/runtime/shell-word.ts'

/** script(1) of util-linux, which every Debian has. */
const script = '/usr/bin/script'

/** Why nothing can be run at a terminal; `false` where it can. */
export const noTerminal = existsSync(script) ? false : `there is no ${script}`

/**
 * The program and arguments that run a command with a terminal as its input and outputs. What the terminal shows is on their
 * output. SIGTERM to it is sent on, and it exits with the code of the command.
 */
export function atTerminal(command: readonly string[]): string[] {
  return [
    script,
    '--quiet',
    '--flush',
    '--return',
    '--command',
    `exec ${command.map(shellWord).join(' ')}`,
    '/dev/null',
  ]
}
