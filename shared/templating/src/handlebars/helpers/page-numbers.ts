import Handlebars from 'handlebars'
import { type HelperFamily, hashText, shown, textOf, wrong } from './helper.ts'

/** Prefix of the attributes by which the renderer finds the elements. */
export const pageNumbersMark = 'data-platen-'
export const tocMark = `${pageNumbersMark}toc`
export const pageNumberMark = `${pageNumbersMark}page-of`

export const pageNumberHelpers: HelperFamily = {
  toc: {
    signature: 'toc levels=',
    does:
      'A contents list of the headings that follow, with links and the numbers of their pages. Levels are h1 to h6, by default ' +
      'levels="1-3". A heading of the class no-toc is left out.',
    examples: [{ template: '{{toc levels="1-2"}}', gives: '<nav class="toc" data-platen-toc="1-2"></nav>' }],
    args: [0, 0],
    hash: ['levels'],
    run: (call) => {
      const levels = hashText(call, 'levels') ?? '1-3'
      const [, first = '', last = first] = /^([1-6])(?:-([1-6]))?$/.exec(levels) ?? []
      if (first === '' || first > last) return wrong(call, `levels must be such as "1-3" or "2", not ${shown(levels)}`)
      return new Handlebars.SafeString(`<nav class="toc" ${tocMark}="${first}-${last}"></nav>`)
    },
  },
  pageNumberOf: {
    signature: 'pageNumberOf id',
    does: 'The number of the page with the element of that id, as a link to it.',
    examples: [
      {
        template: 'See page {{pageNumberOf "terms"}}.',
        gives: 'See page <a class="page-number" href="#terms" data-platen-page-of="terms"></a>.',
      },
    ],
    args: [1, 1],
    run: (call) => {
      const id = textOf(call, call.args[0])
      if (id === '') return undefined
      const target = Handlebars.escapeExpression(encodeURIComponent(id.toWellFormed()))
      const name = Handlebars.escapeExpression(id)
      return new Handlebars.SafeString(`<a class="page-number" href="#${target}" ${pageNumberMark}="${name}"></a>`)
    },
  },
}
