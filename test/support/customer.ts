import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import type { Gateway } from './fleet.ts'
import type { Answer, PlatenRequest } from './platen.ts'

/** A client that uses the gateways in turn, like one behind a load balancer. */
export interface Customer {
  /** The status of every response so far; `cut` if there was none. */
  readonly answers: readonly (number | 'cut')[]
  /** The ids of accepted generations by their key. */
  readonly accepted: ReadonlyMap<string, string>
  /** Requests a generation until it is accepted, with the same Idempotency-Key. Rejects after two minutes. */
  submit(key: string, body: object): Promise<string>
  /** Changes the template repeatedly until the signal aborts. */
  edit(template: Template, signal: AbortSignal): Promise<void>
  /** The html of each version that was acknowledged. */
  readonly edits: ReadonlyMap<number, string>
}

export function customerOf(gateways: readonly Gateway[]): Customer {
  const answers: (number | 'cut')[] = []
  const accepted = new Map<string, string>()
  const edits = new Map<number, string>()
  let turn = 0

  const send = async <Body>(path: string, init: PlatenRequest): Promise<Answer<Body> | undefined> => {
    const answer = await gateways[turn++ % gateways.length]?.json<Body>(path, init).catch(() => undefined)
    answers.push(answer?.status ?? 'cut')
    return answer
  }
  return {
    answers,
    accepted,
    edits,
    async submit(key, body) {
      for (const deadline = Date.now() + 120_000; Date.now() < deadline; await delay(100)) {
        const headers = { 'idempotency-key': key }
        const answer = await send<Generation>('/v1/generate', { body: { ...body, async: true }, headers })
        if (answer?.status === 202) {
          const { id } = answer.body
          accepted.set(key, id)
          return id
        }
      }
      throw new Error(`${key} was not accepted: ${answers.slice(-5)}`)
    },
    async edit(template, signal) {
      for (let n = 1; !signal.aborted; n++) {
        const html = `Edit ${n}`
        const answer = await send<Template>(`/v1/templates/${template.id}`, { method: 'PATCH', body: { html } })
        if (answer?.status === 200) edits.set(answer.body.version, html)
        await delay(50)
      }
    },
  }
}
