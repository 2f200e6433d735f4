import { languageOf } from '../model/documents.ts'
import type { Place } from '../model/problem.ts'
import type { CodeView } from './code-view.ts'

/** The editor of the sources, for what is beside it: a list of partials writes at its cursor, a problem shows its line. */
export class Inserter {
  view: CodeView | undefined
  readonly #showBody: () => void
  /** What waits until its document is shown. */
  #place: Place | undefined
  #text: string | undefined

  constructor(showBody: () => void) {
    this.#showBody = showBody
  }

  /** Writes HTML at the cursor, or `css` in a style element; in the body, if what is shown is no HTML. */
  insert(html: string, css = html): void {
    const { view } = this
    if (view?.shown !== undefined && languageOf(view.shown) === 'handlebars' && !view.isHidden) {
      view.insert(view.isInStyle ? css : html)
    } else {
      this.#text = html
      this.#showBody()
    }
  }

  /** Shows a place, at once or when the editor shows its document. */
  goTo(place: Place): void {
    this.#place = place
    this.shown()
  }

  /** To be called when the editor shows another document. */
  shown(): void {
    const { view } = this
    if (view?.shown === 'html' && this.#text !== undefined) {
      view.insert(this.#text)
      this.#text = undefined
    }
    if (this.#place === undefined || view?.shown !== this.#place.document) return
    const { line, column } = this.#place
    this.#place = undefined
    view.goTo(line, column)
  }
}
