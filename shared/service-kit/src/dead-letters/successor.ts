import type { Generation } from '@platen/domain/generation/generation.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { derivedId } from '@platen/foundation/runtime/ids.ts'
import type { DeadLetter } from './dead-letters.ts'
import type { ListedLetter } from './find-letters.ts'

type Status = Generation['status']

/** How a generation stands; undefined if nobody has requested it. */
export type StatusOf = (generationId: string) => Promise<Status | undefined>

/** The generation that the document of a dead letter is rendered again as. */
export interface Successor {
  id: string
  /** Undefined if it was not requested yet. */
  status: Status | undefined
  /** The one before it, which has failed. */
  failed: string | undefined
}

/**
 * The ids are derived from the letter, so that a letter that is sent again twice, by two operators or after a crash, is rendered once.
 * Only when a generation has failed, the next one is another. The time of the letter is part of the ids because a new stream counts
 * from 1 again.
 */
export async function successorOf({ seq, at }: Pick<DeadLetter, 'seq' | 'at'>, statusOf: StatusOf): Promise<Successor> {
  let failed: string | undefined
  for (let attempt = 0; ; attempt++) {
    const id = derivedId('pdf', Date.parse(at), streams.deadLetters, seq, attempt)
    const status = await statusOf(id)
    if (status !== 'failed') return { id, status, failed }
    failed = id
  }
}

/** The letter with the newest generation that its document was rendered again as, if there is one. */
export async function withSuccessor(letter: ListedLetter, statusOf: StatusOf): Promise<ListedLetter> {
  if (!isDocument(letter)) return letter
  const { id, status, failed } = await successorOf(letter, statusOf)
  const retriedAs = status === undefined ? failed : id
  return { ...letter, ...defined({ retriedAs }) }
}

export const isDocument = ({ subject }: Pick<DeadLetter, 'subject'>) => subject.startsWith('commands.render.')
