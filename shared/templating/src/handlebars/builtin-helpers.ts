import { helpers } from './helpers/catalogue.ts'
import type { Helper } from './helpers/helper.ts'

/**
 * Handlebars' own helpers that templates may call, with their number of arguments. `log` is excluded, because it writes
 * to the server's console.
 */
export const builtinHelpers: Readonly<Record<string, Pick<Helper, 'args' | 'block' | 'hash' | 'check'>>> = {
  if: { args: [1, 1], hash: ['includeZero'], block: true },
  unless: { args: [1, 1], hash: ['includeZero'], block: true },
  each: { args: [1, 1], block: true },
  with: { args: [1, 1], block: true },
  lookup: { args: [2, 2] },
}

/** The name under which the helper of `{{{{raw}}}}` is compiled. `{{raw}}` and `{{#raw}}` are a field of that name. */
export const rawBlock = 'raw block'

/** How a helper is called, if there is one of this name. */
export const signatureOf = (name: string): string | undefined =>
  Object.hasOwn(helpers, name) ? helpers[name]?.signature.split(' | ', 1)[0] : undefined
