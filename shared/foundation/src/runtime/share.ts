/** What an owner may have of something bounded. */
export interface Share {
  /** It may have this many times what is free. Default: as much as is free. */
  timesFree?: number
  /** It may never have more than this. Default: no limit. */
  atMost?: number
}

export interface Use {
  /** What the owner has. */
  has: number
  /** What it wants more. Default: 1. */
  more?: number
  /** What nobody has. */
  free: number
}

/**
 * The most that an owner may have while so much is free. As the limit falls with what is free, whoever has little finds some of it, however
 * much others take. (Dynamic queue length thresholds, Choudhury and Hahne 1998.)
 */
export function mostOfOwner({ timesFree = 1, atMost = Number.POSITIVE_INFINITY }: Share, free: number): number {
  return Math.min(atMost, timesFree * Math.max(0, free))
}

export function mayHaveMore(share: Share, { has, more = 1, free }: Use): boolean {
  return more <= free && has + more <= mostOfOwner(share, free)
}
