import type { CodeView } from './code-view.ts'

/** The editor of the sources, for what is beside it: a list of partials writes at its cursor, a problem shows its line. */
export class Inserter {
  view: CodeView | undefined
  /** What is done as soon as the document is shown. */
  #later: ((view: CodeView) => void) | undefined

  insert(text: string): void {
    this.view?.insert(text)
  }

  /** To be done when the editor shows the document that the address names by then. */
  whenShown(work: (view: CodeView) => void): void {
    this.#later = work
    // The document may be shown already.
    setTimeout(() => this.shown(), 0)
  }

  shown(): void {
    const { view } = this
    if (view === undefined) return
    this.#later?.(view)
    this.#later = undefined
  }
}
