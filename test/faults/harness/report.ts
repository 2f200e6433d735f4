import type { Outcome } from './run-harness.ts'

const recordsNothing = ['preview', 'testWebhook']

/** Most violations of an invariant that are printed. The JSON has all. */
const shown = 5

/** One line for each invariant, with its violations. */
export function printOutcome(
  { seed, evidence, verdicts, durationMs, description }: Outcome,
  say: (line: string) => void,
) {
  const { posts, batches, writes, answers, calls, faults, settledAfterMs } = evidence
  const accepted = posts.filter(({ id }) => id !== undefined)
  say('')
  say(`${Object.values(description).join(', ')}; seed ${seed}; ${Math.round(durationMs / 1_000)} s`)
  say(
    `${posts.length} generations (${accepted.length} accepted), ${batches.length} batches, ${writes.filter(({ operation }) => !recordsNothing.includes(operation)).length} other changes, ${calls.length} webhook calls, ` +
      `${answers.length} requests, ${faults.filter(({ met }) => met).length} of ${faults.length} faults met; settled in ${settledAfterMs} ms`,
  )
  for (const { invariant, title, checked, violations } of verdicts) {
    const result = violations.length === 0 ? 'ok ' : 'NOT'
    say(`${result} ${invariant.padEnd(3)} ${title}: ${checked} compared, ${violations.length} violations`)
    for (const violation of violations.slice(0, shown)) say(`      ${violation}`)
    if (violations.length > shown) say(`      … and ${violations.length - shown} more`)
  }
}

/** What is worth keeping of a run: the verdicts, and counts instead of the evidence. */
export function summary({ seed, description, startedAt, durationMs, evidence, verdicts }: Outcome) {
  const { posts, writes, calls, answers, log, published, objects, faults, settledAfterMs } = evidence
  const count = <Item>(items: readonly Item[], by: (item: Item) => string) =>
    Object.fromEntries([...Map.groupBy(items, by)].map(([name, all]) => [name, all.length]))
  return {
    seed,
    description,
    startedAt,
    durationMs,
    settledAfterMs,
    generations: { posted: posts.length, accepted: posts.filter(({ id }) => id !== undefined).length },
    ends: count(
      log.filter(({ type }) => /^Generation(Completed|Failed|Cancelled)$/.test(type)),
      ({ type }) => type,
    ),
    answers: count(answers, ({ status }) => String(status)),
    writes: count(writes, ({ operation }) => operation),
    calls: calls.length,
    events: log.length,
    published: published.length,
    objects: objects.length,
    faults,
    verdicts,
  }
}
