/** A document that asks for more time, memory or paper than there is. */
export interface Bomb {
  name: string
  html: string
  headerHtml?: string
}
