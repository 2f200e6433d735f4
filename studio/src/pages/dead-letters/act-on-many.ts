import { api, type Schemas, unwrap } from '../../api/client.ts'
import { type LetterFilter, queryOf } from './letter-filter.ts'

export type Act = 'retry' | 'drop'
/** The dead letters that something is done with: these, or those that a filter selects. */
export type Choice = { ids: readonly string[] } | { filter: LetterFilter }
type Result = Schemas['DeadLettersResult']

export interface Counted {
  count: number
  /** False: there are more than were counted. */
  isAll: boolean
  choice: Choice
}

/** What was done until now. */
export interface Outcome {
  done: readonly Schemas['RetriedDeadLetter'][]
  /** By their ids: why they are still dead letters. */
  kept: ReadonlyMap<string, string>
}

const mostAtOnce = 100

/** Says how many there are, and does nothing. The choice that it returns leaves out those that come later. */
export async function countLetters(act: Act, choice: Choice, signal: AbortSignal): Promise<Counted> {
  if ('ids' in choice) {
    const ids = choice.ids.slice(0, mostAtOnce)
    await post(act, { ids, dry_run: true }, signal)
    return { count: choice.ids.length, isAll: true, choice }
  }
  const newest = await newestOf(choice.filter, signal)
  if (newest === undefined) return { count: 0, isAll: true, choice }
  const filter = { ...choice.filter, created_before: new Date(Date.parse(newest.at) + 1).toISOString() }
  const { count, next_after } = await post(act, { filter, dry_run: true }, signal)
  return { count, isAll: next_after === undefined, choice: { filter } }
}

async function newestOf(filter: LetterFilter, signal: AbortSignal): Promise<Schemas['DeadLetter'] | undefined> {
  let cursor: string | undefined
  do {
    const query = { ...queryOf(filter), limit: 1, ...(cursor !== undefined && { cursor }) }
    const page = await unwrap(api.GET('/v1/dead-letters', { params: { query }, signal }))
    if (page.data[0] !== undefined) return page.data[0]
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return undefined
}

/** Sends them again or removes them, a hundred at a time. When the signal aborts, it ends after the request that is under way. */
export async function actOnLetters(
  act: Act,
  choice: Choice,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (outcome: Outcome) => void },
): Promise<void> {
  const done: Result['done'] = []
  const kept = new Map<string, string>()
  for (const part of partsOf(choice)) {
    let after: string | undefined
    do {
      if (signal.aborted) return
      const result: Result = await post(act, { ...part, ...(after !== undefined && { after }) })
      for (const { id, reason } of result.kept) kept.set(id, reason)
      for (const { id } of result.done) kept.delete(id)
      done.push(...result.done)
      onProgress({ done: [...done], kept: new Map(kept) })
      after = result.next_after
    } while (after !== undefined)
  }
}

function partsOf(choice: Choice): Schemas['ChooseDeadLetters'][] {
  if ('filter' in choice) return [choice]
  const { ids } = choice
  return Array.from({ length: Math.ceil(ids.length / mostAtOnce) }, (_, at) => ({
    ids: ids.slice(at * mostAtOnce, (at + 1) * mostAtOnce),
  }))
}

function post(act: Act, body: Schemas['ChooseDeadLetters'], signal?: AbortSignal): Promise<Result> {
  const init = { body, ...(signal && { signal }) }
  return unwrap(act === 'retry' ? api.POST('/v1/dead-letters/retry', init) : api.POST('/v1/dead-letters/drop', init))
}
