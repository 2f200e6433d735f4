import Handlebars from 'handlebars'
import { type HelperFamily, integerOf, isAbsent, listOf } from './helper.ts'
import { grouped } from './lists.ts'

const maxRepeats = 10_000

export const structureHelpers: HelperFamily = {
  repeat: {
    signature: '{{#repeat n}}…{{else}}…{{/repeat}}',
    does: `Renders the block n times (at most ${maxRepeats}) with @index, @first and @last; {{else}} if n is 0.`,
    examples: [
      { template: '{{#repeat 3}}{{@index}}{{#unless @last}}-{{/unless}}{{/repeat}}', gives: '0-1-2' },
      { template: '{{#repeat stars}}★{{else}}none{{/repeat}}', data: { stars: 0 }, gives: 'none' },
    ],
    args: [1, 1],
    block: true,
    run: (call) => {
      const [times] = call.args
      const count = isAbsent(times) ? 0 : integerOf(call, times, 'the number of times', 0, maxRepeats)
      if (count === 0) return call.block?.otherwise()
      let text = ''
      for (let index = 0; index < count; index++) {
        text += call.block?.inside({ index, first: index === 0, last: index === count - 1 })
      }
      return text
    },
  },
  pageBreak: {
    signature: 'pageBreak',
    does: 'Starts a new page.',
    examples: [{ template: '{{pageBreak}}', gives: '<div style="break-after: page"></div>' }],
    args: [0, 0],
    run: () => new Handlebars.SafeString('<div style="break-after: page"></div>'),
  },
  chunk: {
    signature: 'chunk items size',
    does: 'Splits a list into lists of that size, for example for rows of labels.',
    examples: [
      {
        template: '{{#each (chunk items 2)}}[{{#each this}}{{this}}{{/each}}]{{/each}}',
        data: { items: [1, 2, 3] },
        gives: '[12][3]',
      },
    ],
    args: [2, 2],
    run: (call) => {
      const items = listOf(call, call.args[0])
      const size = integerOf(call, call.args[1], 'the size', 1, maxRepeats)
      return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
    },
  },
  group: {
    signature: 'group items "path"',
    does: 'A list of {key, items} for the different values at the path, in order of appearance.',
    examples: [
      {
        template: '{{#each (group items "kind")}}{{key}}: {{count items}}; {{/each}}',
        data: { items: [{ kind: 'a' }, { kind: 'b' }, { kind: 'a' }] },
        gives: 'a: 2; b: 1; ',
      },
    ],
    args: [2, 2],
    run: grouped,
  },
}
