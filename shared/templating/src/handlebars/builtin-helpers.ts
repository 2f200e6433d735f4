import type { Helper } from './helpers/helper.ts'

/**
 * Handlebars' own helpers that templates may call, with their number of arguments. `log` is excluded, because it writes
 * to the server's console.
 */
export const builtinHelpers: Readonly<Record<string, Pick<Helper, 'args' | 'block' | 'hash'>>> = {
  if: { args: [1, 1], hash: ['includeZero'], block: true },
  unless: { args: [1, 1], hash: ['includeZero'], block: true },
  each: { args: [1, 1], block: true },
  with: { args: [1, 1], block: true },
  lookup: { args: [2, 2] },
}
