import type { Place } from '../model/problem.ts'
import type { CodeView } from './code-view.ts'

/** The editor of the sources, for what is beside it: a list of partials writes at its cursor, a problem shows its line. */
export class Inserter {
  view: CodeView | undefined
  /** Waits until its document is shown. */
  #place: Place | undefined

  insert(text: string): void {
    this.view?.insert(text)
  }

  /** Shows a place, at once or when the editor shows its document. */
  goTo(place: Place): void {
    this.#place = place
    this.shown()
  }

  /** To be called when the editor shows another document. */
  shown(): void {
    const { view } = this
    if (this.#place === undefined || view?.shown !== this.#place.document) return
    const { line, column } = this.#place
    this.#place = undefined
    view.goTo(line, column)
  }
}
