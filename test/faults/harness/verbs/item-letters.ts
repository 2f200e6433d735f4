import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { headers } from 'nats'
import { readLog } from '../collect.ts'
import type { System } from '../system.ts'
import type { RanVerb } from './run-verb.ts'
import type { RetriedItem } from './verb-evidence.ts'

/** The notifier removes a letter within ten seconds after the end of its retry. That of a retry that was killed may stay. */
const removedWithinMs = { sent: 30_000, killed: 15_000 }

/** Leaves a dead letter of an item of a batch that has none yet, as a renderer does that could not handle it, and sends it again. */
export async function retryItemLetter(
  system: System,
  letters: RetriedItem[],
  verb: (...args: string[]) => Promise<RanVerb>,
): Promise<void> {
  const log = await readLog(system)
  const isFree = (id: string) => letters.every(({ item }) => item !== id)
  const requested = log.findLast(
    ({ type, aggregate, data }) => type === 'GenerationRequested' && data.batch !== undefined && isFree(aggregate),
  )
  if (requested === undefined) return
  const { aggregate: item, data } = requested
  const subject = commandSubjects.render('backlog', defaultOwnerId, item)
  const { batch, api_key_id } = data
  const request = { generation_id: item, owner_id: defaultOwnerId, api_key_id, batch }
  const input = { html: `<p>Again ${item}`, options: resolvePdfOptions() }
  const metadata = { id: randomUUID(), time: new Date().toISOString(), correlation_id: 'retry-of-an-item' }
  const connection = await system.nats()
  try {
    const reason = headers()
    for (const [name, value] of Object.entries({ Reason: 'it failed', Subject: subject, Deliveries: '3' }))
      reason.set(`Platen-${name}`, value)
    const payload = JSON.stringify({ type: 'RenderPdf', data: { request, input }, metadata })
    const { seq } = await connection.jetstream().publish(`dead-letters.${subject}`, payload, { headers: reason })
    const letter: RetriedItem = { item, seq, isKept: true, ended: '' }
    letters.push(letter)
    letter.ended = (await verb('dead-letters', 'retry', `${seq}`)).ended
  } finally {
    await connection.close()
  }
}

/** Looks which of the letters are left, when each retry has ended. */
export async function readItemLetters(system: System, letters: readonly RetriedItem[]): Promise<void> {
  if (letters.length === 0) return
  const connection = await system.nats()
  try {
    const manager = await connection.jetstreamManager()
    const isKept = async ({ seq }: RetriedItem) => {
      const message = await manager.streams.getMessage(streams.deadLetters, { seq }).catch(() => undefined)
      return message !== undefined
    }
    const from = Date.now()
    for (const letter of letters) {
      const until = from + (letter.ended === '0' ? removedWithinMs.sent : removedWithinMs.killed)
      do letter.isKept = await isKept(letter)
      while (letter.isKept && Date.now() < until && (await delay(500, true)))
    }
  } finally {
    await connection.close()
  }
}
