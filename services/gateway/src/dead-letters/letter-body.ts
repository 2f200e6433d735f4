import type { DeadLetter } from '@platen/domain/dead-letter/dead-letter.ts'
import { renderSubjectIds } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { contentOf, withoutTokens } from '@platen/service-kit/dead-letters/dead-letters.ts'
import type { ListedLetter } from '@platen/service-kit/dead-letters/find-letters.ts'

const mostBodyChars = 64 * 1024
const kinds = ['render', 'template', 'delivery', 'cancel'] as const

/** As lists have it: without its body. */
export function letterBody({
  seq,
  at,
  subject,
  reason,
  deliveries,
  bytes,
  ownerId,
  retriedAs,
}: ListedLetter): DeadLetter {
  const [first = '', second = ''] = subject.split('.')
  const ofCommand = first === 'commands' ? kinds.find((kind) => kind === second) : undefined
  const kind = ofCommand ?? (first === 'events' ? 'event' : 'other')
  const { generation_id } = renderSubjectIds(subject)
  return {
    id: String(seq),
    at,
    kind,
    subject,
    ...defined({ owner_id: ownerId }),
    ...(kind === 'render' && generation_id !== '' && { generation_id }),
    ...defined({ retried_as: retriedAs }),
    reason,
    attempts: deliveries,
    bytes,
  }
}

export function wholeLetterBody(letter: ListedLetter, payload: Uint8Array): DeadLetter {
  const content = withoutTokens(contentOf(payload))
  const text = typeof content === 'string' ? content : stringifyExact(content)
  return {
    ...letterBody(letter),
    body: text.slice(0, mostBodyChars).toWellFormed(),
    body_truncated: text.length > mostBodyChars,
  }
}
