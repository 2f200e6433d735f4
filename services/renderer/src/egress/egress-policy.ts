/**
 * Hosts that documents may fetch from: public ones (`public`), none (`none`), or private ones, too (`any`, for
 * development and tests).
 */
export type EgressPolicy = 'public' | 'none' | 'any'

export interface EgressLimits {
  /** How many resources one document may fetch. */
  resources: number
  resourceBytes: number
  resourceTimeoutMs: number
}
