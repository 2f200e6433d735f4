import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Arriving } from '../../http/bodies/receive.ts'
import { clientDisconnected } from '../../http/errors/disconnects.ts'
import { refuse } from '../answers/refused.ts'
import { downloadFiles } from './download-files.ts'
import type { Form } from './form.ts'
import type { FormPlaces } from './form-places.ts'
import { holdLargeForm } from './hold-forms.ts'
import { maxFormBytes, readForm } from './read-form.ts'

/** The form of a request, with the files that it names by their URLs. */
export type ReadRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<Form>

export interface ReadOptions {
  downloads: boolean
  allowPrivate: boolean
  traceHeader: string
  places: FormPlaces
}

const downloadMs = 20_000

export function requestReader({ downloads, allowPrivate, traceHeader, places }: ReadOptions): ReadRequest {
  return async (request, reply) => {
    const { headers } = request
    const body = request.body as Arriving | undefined
    const form = await readForm(body ?? Readable.from([]), headers['content-type'])
    const list = form.text('downloadFrom')
    if (list === '') return form
    if (!downloads) refuse(400, 'Invalid form data: downloadFrom is disabled')
    await holdLargeForm(places, request, reply)
    const trace = headers[traceHeader.toLowerCase()]
    const sent = typeof trace === 'string' ? { [traceHeader.toLowerCase()]: trace } : {}
    const limits = { allowPrivate, maxBytes: maxFormBytes, timeoutMs: downloadMs }
    return form.with(await downloadFiles(list, { ...limits, headers: sent, disconnected: clientDisconnected(reply) }))
  }
}
