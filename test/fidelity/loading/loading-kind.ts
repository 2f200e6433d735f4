/** One way in which a document loads something, with the expected content of the printed pages. */
export interface LoadingKind {
  name: string
  /** `at` stands before each address: nothing, or the site's URL with a slash. */
  html(at: string): string
  /** The HTML for plain Chromium, if it does not wait for this kind of resource either. */
  judged?: string
  /** Text of the printed pages. */
  text: string
  /** The colours of the resources. */
  colours: readonly Colour[]
  /** Needs script: there is no use in switching it on as well. */
  scripted?: boolean
  /** Browsers load it from the document's own origin only. */
  sameOrigin?: boolean
}

export const colours = { green: '#00a000', blue: '#0000ff', red: '#ff0000' }
export type Colour = keyof typeof colours
