import { helpers } from './helpers/catalogue.ts'
import type { Helper } from './helpers/helper.ts'

/**
 * Handlebars' own helpers that templates may call, with their number of arguments. `log` is excluded, because it writes
 * to the server's console.
 */
export const builtinHelpers: Readonly<Record<string, Omit<Helper, 'run' | 'asks'>>> = {
  if: {
    signature: '{{#if value}}…{{else if other}}…{{else}}…{{/if}}',
    does: "Renders the block if the value is there. 0, '', false, null and an empty list are not; includeZero=true counts 0 in.",
    examples: [{ template: '{{#if paid}}paid{{else}}due{{/if}}', data: { paid: false }, gives: 'due' }],
    args: [1, 1],
    hash: ['includeZero'],
    block: true,
  },
  unless: {
    signature: '{{#unless value}}…{{else}}…{{/unless}}',
    does: 'The opposite of if.',
    examples: [{ template: '{{#unless paid}}due{{/unless}}', data: { paid: false }, gives: 'due' }],
    args: [1, 1],
    hash: ['includeZero'],
    block: true,
  },
  each: {
    signature: '{{#each list or object as |value key|}}…{{else}}…{{/each}}',
    does:
      'Renders the block for each item of a list, or each field of an object, with @index, @key (the name of the field), @first and ' +
      '@last; {{else}} if there is none.',
    examples: [
      {
        template: '{{#each items}}{{@index}}: {{name}}{{#unless @last}}, {{/unless}}{{/each}}',
        data: { items: [{ name: 'Ink' }, { name: 'Paper' }] },
        gives: '0: Ink, 1: Paper',
      },
      {
        template: '{{#each rates as |rate country|}}{{country}} {{rate}} {{/each}}',
        data: { rates: { DE: 19, FR: 20 } },
        gives: 'DE 19 FR 20 ',
      },
      {
        template: '{{#each rates}}{{@key}}={{this}} {{/each}}',
        data: { rates: { DE: 19, FR: 20 } },
        gives: 'DE=19 FR=20 ',
      },
    ],
    args: [1, 1],
    block: true,
  },
  with: {
    signature: '{{#with object as |name|}}…{{else}}…{{/with}}',
    does: 'Renders the block with the object as its context; {{else}} if it is missing.',
    examples: [{ template: '{{#with customer}}{{name}}{{/with}}', data: { customer: { name: 'Ada' } }, gives: 'Ada' }],
    args: [1, 1],
    block: true,
  },
  lookup: {
    signature: 'lookup object key',
    does: 'The field of an object, or the item of a list, whose name or index is a value.',
    examples: [
      {
        template: '{{lookup labels lang}}',
        data: { labels: { de: 'Summe', en: 'Total' }, lang: 'de' },
        gives: 'Summe',
      },
    ],
    args: [2, 2],
  },
}

/** The name under which the helper of `{{{{raw}}}}` is compiled. `{{raw}}` and `{{#raw}}` are a field of that name. */
export const rawBlock = 'raw block'

/** How a helper is called, if there is one of this name. */
export const signatureOf = (name: string): string | undefined =>
  Object.hasOwn(helpers, name) ? helpers[name]?.signature.split(' | ', 1)[0] : undefined
