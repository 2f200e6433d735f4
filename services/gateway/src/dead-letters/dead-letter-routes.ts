import {
  ChooseLettersBody,
  type LetterFilterBody,
  LettersResult,
  mostLettersAtOnce,
} from '@platen/domain/dead-letter/dead-letter.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import { findDeadLetter, requireRemoval } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { type LetterFilter, listed, searchLetters } from '@platen/service-kit/dead-letters/find-letters.ts'
import { withSuccessor } from '@platen/service-kit/dead-letters/successor.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import type { QueuedGenerations } from '../generations/queued-generations.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { bodyErrors, DeadLetterRef, errorResponses, pageOf } from '../http/openapi/route-schemas.ts'
import { createdQuery, defaultLimit, pageBody, pageQuery, timeField, versionBefore } from '../http/pagination.ts'
import { resource } from '../http/resource.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { GenerationView } from '../views/generation-view.ts'
import { actOnLetters, chooseLetters, type LetterSources, onlyChosen } from './act-on-letters.ts'
import { letterBody, wholeLetterBody } from './letter-body.ts'

const tags = ['Operations']
/** A dry run counts up to this number. */
const mostCounted = 2_000

interface ListSources extends LetterSources {
  queue: Pick<QueuedGenerations, 'findOfAny'>
  generations: Pick<GenerationView, 'find'>
}

/** Messages that could not be handled, for operators. */
export const deadLetterRoutes = resource<ListSources>('dead-letters', async (app, sources) => {
  const { bus, queue, generations } = sources
  /** The lists are read also while the event store is not. */
  const viewedStatus = async (id: string) => (generations.find(id) ?? (await queue.findOfAny(id)))?.state.status
  const forAdmin = { onRequest: needsScope('admin') }

  app.get('/dead-letters', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'listDeadLetters',
      summary: 'List messages that could not be handled',
      description:
        'Of all owners, or with `owner` of that one. A page may have fewer items than `limit`, or none, and a `next_cursor`: what one request reads is bounded.',
      querystring: Type.Object(
        {
          ...pageQuery,
          ...ownerQuery,
          ...createdQuery,
          reason: Type.Optional(Type.String({ maxLength: 500, description: 'A part of the reason.' })),
          subject: Type.Optional(
            Type.String({ maxLength: 300, description: 'The beginning of the subject, such as `commands.render.`.' }),
          ),
        },
        { additionalProperties: false },
      ),
      response: {
        200: pageOf('DeadLetterPage', DeadLetterRef, 'A page of dead letters.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor, owner, ...query } = request.query
      const filter = filterOf({ ...query, ...(owner !== undefined && { owner_id: ownerOf(request).id }) })
      const from = versionBefore(cursor)
      releaseSlot(request)
      const { letters, next } = await ask(bus, () => searchLetters(bus, { filter, from, backwards: true, limit }))
      const page = {
        items: await Promise.all(letters.map((letter) => withSuccessor(letter, viewedStatus))),
        hasMore: next !== undefined,
        ...(next !== undefined && { searchedTo: String(next) }),
      }
      return pageBody(page, ({ seq }) => String(seq), letterBody)
    },
  })

  app.get('/dead-letters/:id', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'getDeadLetter',
      summary: 'Get a dead letter with its body',
      params: Type.Object({ id: Type.String({ description: 'Id of the dead letter.', examples: ['42'] }) }),
      querystring: OwnerQuery,
      response: { 200: DeadLetterRef, ...errorResponses('DEAD_LETTER_NOT_FOUND') },
    },
    async handler(request) {
      const { id } = request.params
      const letter = /^[1-9]\d{0,8}$/.test(id) ? await ask(bus, () => findDeadLetter(bus, Number(id))) : undefined
      const body = letter && wholeLetterBody(await withSuccessor(listed(letter), viewedStatus), letter.payload)
      const isOther = request.query.owner !== undefined && body?.owner_id !== ownerOf(request).id
      if (!body || isOther) return fail('DEAD_LETTER_NOT_FOUND', `There is no dead letter ${readable(id)}`)
      return body
    },
  })

  for (const act of ['retry', 'drop'] as const) {
    app.post(`/dead-letters/${act}`, {
      ...forAdmin,
      config: { needsNoSpace: act === 'drop' },
      schema: {
        tags,
        ...described[act],
        querystring: Type.Object({}, { additionalProperties: false }),
        body: ChooseLettersBody,
        response: { 200: LettersResult, ...errorResponses(...bodyErrors) },
      },
      async handler(request) {
        const { ids, filter, after, dry_run = false } = request.body
        if ((ids === undefined) === (filter === undefined)) invalidField('ids', 'is required, or filter, and not both')
        releaseSlot(request)
        await mayRemove(sources)
        const choice = {
          ...defined({ ids }),
          ...(filter && { filter: filterOf(filter) }),
          ...(after !== undefined && { after: Number(after) }),
          limit: dry_run ? mostCounted : mostLettersAtOnce,
        }
        const chosen = await ask(bus, () => chooseLetters(bus, choice))
        if (dry_run) return onlyChosen(chosen)
        return actOnLetters({ ...sources, metadata: () => commandMetadata(request) }, chosen, act)
      },
    })
  }
})

const bounds =
  'At most a hundred at a time, oldest first; `next_after` says where to go on. The same request may be sent again. With `dry_run` only the count and the first ids are answered, and nothing is done.'
const described = {
  retry: {
    operationId: 'retryDeadLetters',
    summary: 'Send messages that could not be handled again',
    description: `A document is rendered as a new generation, whose webhook is sent, too. Its dead letter is removed when that has ended, and kept if it fails. The dead letter of a command that is refused, or that no service answers within ten seconds, is kept, with the reason. ${bounds}`,
  },
  drop: {
    operationId: 'dropDeadLetters',
    summary: 'Remove dead letters for good',
    description: bounds,
  },
}

function filterOf({ reason, subject, owner_id, created_after, created_before }: LetterFilterBody): LetterFilter {
  return {
    reason,
    subject,
    ownerId: owner_id,
    since: created_after === undefined ? undefined : timeField('created_after', created_after),
    until: created_before === undefined ? undefined : timeField('created_before', created_before),
  }
}

/** Before a letter is sent again, as it could not be removed after it. Throws FORBIDDEN. */
async function mayRemove({ bus }: LetterSources): Promise<void> {
  await bus.whenConnected()
  await requireRemoval(bus).catch((cause) => {
    const message =
      'The NATS user of the gateway may not remove dead letters; use the accounts.conf of this version, or platen dead-letters'
    throw new DomainError('FORBIDDEN', message, { cause })
  })
}
