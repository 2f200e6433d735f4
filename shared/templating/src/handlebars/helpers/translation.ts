import { type HelperFamily, textOf } from './helper.ts'

export const translationHelpers: HelperFamily = {
  t: {
    signature: 't "key" name=value …',
    does:
      'The text of the key in the language of the document, from the translations of the template. {name} in it is replaced with the ' +
      'named argument. A key that is not translated is a MISSING_TRANSLATION warning, and prints the text of another language, or itself.',
    examples: [
      { template: '{{t "total"}}', gives: 'Total' },
      { template: '{{t "greeting" name=customer.name}}', data: { customer: { name: 'Ada' } }, gives: 'Dear Ada,' },
    ],
    args: [1, 1],
    hash: 'any',
    run: (call) => {
      const key = textOf(call, call.args[0])
      return call.translate(key).replace(/\{([\w-]{1,60})\}/g, (whole, name: string) => {
        return Object.hasOwn(call.hash, name) ? textOf(call, call.hash[name]) : whole
      })
    },
  },
}
