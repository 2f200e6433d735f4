/** What verbs of the command line have said, and what is left of them. */
export interface VerbEvidence {
  /** Generations that a receipt says are erased. */
  erased: { ids: string[] }[]
  /** The events in the archive as `stream@revision`, in its order; undefined if it was not read. */
  archived?: string[]
  /** How often each verb ended, by its exit code or signal. */
  runs: { verb: string; ended: string; printed: string }[]
  /** A backup that was put back. */
  restored: Restored[]
  /** Replays of a category that were acknowledged: how many events were said to be published, and which arrived. */
  replayed: { category: string; said: number; ids: string[] }[]
}

export interface Restored {
  /** Whether a second backup into the folder was interrupted. */
  interrupted: boolean
  /** Exit code of restore, and what it printed. */
  code: number
  printed: string
  /** As `stream@revision`, in order. */
  events: string[]
  /** SHA-256 by key. */
  files: Record<string, string>
}

export const noVerbs: VerbEvidence = { erased: [], runs: [], restored: [], replayed: [] }
