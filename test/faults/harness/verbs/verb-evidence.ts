/** What verbs of the command line have said, and what is left of them. */
export interface VerbEvidence {
  /** Generations that a receipt says are erased. */
  erased: { ids: string[] }[]
  /** The events in the archive as `stream@revision`, in its order; undefined if it was not read. */
  archived?: string[]
  /** Undisturbed verbs: each must end with its expected exit code. */
  runs: { verb: string; ended: string; expected: string; printed: string }[]
  /** A backup that was put back. */
  restored: Restored[]
  /** Replays of a category that were acknowledged: how many events were said to be published, and which arrived. */
  replayed: { category: string; said: number; ids: string[] }[]
  /** Dead letters that were sent again. */
  retried: Retried[]
  /** Dead letters of items of batches that were sent again. */
  items: RetriedItem[]
  /** Deliveries that the verb reported as due now. `owner`: only those of this owner were selected. */
  redelivered: { owner?: string; ids: string[] }[]
  /** Generations that the verb reported as cancelled, or how they had ended before. */
  cancelled: { id: string; cancelled: boolean; endedAs: string }[]
}

export interface Retried {
  /** The id of the request in the command. */
  request: string
  /** Whether the command can be executed. */
  isValid: boolean
  /** Whether the dead letter was there afterwards. */
  isKept: boolean
  ended: string
}

export interface RetriedItem {
  /** The generation of the item. */
  item: string
  seq: number
  /** Whether the dead letter was there when its retry had ended. */
  isKept: boolean
  ended: string
}

export interface Restored {
  /** Whether a second backup into the folder was interrupted. */
  interrupted: boolean
  /** Exit code of restore, and what it printed. */
  code: number
  printed: string
  /** Events as `stream@revision`, in order. */
  events: string[]
  /** SHA-256 by key. */
  files: Record<string, string>
}

export const noVerbs: VerbEvidence = {
  erased: [],
  runs: [],
  restored: [],
  replayed: [],
  retried: [],
  items: [],
  redelivered: [],
  cancelled: [],
}
