/** What documents may fetch: `public` hosts only, nothing (`none`), or private hosts too (`any`: development, tests). */
export type EgressPolicy = 'public' | 'none' | 'any'

export interface EgressLimits {
  /** How many resources one document may fetch. */
  resources: number
  resourceBytes: number
  resourceTimeoutMs: number
}
