import type { Usage } from '@platen/foundation/runtime/usage.ts'

/** Work is followed by a pause of this many times its length, so that it delays one in twenty requests of others. */
const restPerWorkedMs = 20
const minRestMs = 100
const maxRestMs = 1_000

/** Whether an owner rests after its work while a visitor is there. */
export function rests(usage: Usage, owner: string): boolean {
  const restMs = Math.min(maxRestMs, Math.max(minRestMs, restPerWorkedMs * (usage.meanMs(owner) ?? 0)))
  return usage.idleMs(owner) < restMs
}
