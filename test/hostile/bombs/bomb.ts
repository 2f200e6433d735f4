/** A document that needs unlimited time, memory or paper. */
export interface Bomb {
  name: string
  html: string
  headerHtml?: string
}
