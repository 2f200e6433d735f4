import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
import { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { prepareRender } from '@platen/service-kit/commands/render-command.ts'
import t from 'tap'
import { parseRender } from './parse-render.ts'

const command = (data: object) => {
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
  const request = { generation_id: newId('pdf'), owner_id: 'own_default', api_key_id: 'key_1' }
  return Buffer.from(JSON.stringify({ type: 'RenderPdf', data: { request, ...data }, metadata }))
}

t.test('a command that requires what a later version does is left to a newer renderer', async (t) => {
  const input_key = 'inputs/x'
  t.match(parseRender(command({ input_key })), { data: { input_key } })
  t.match(parseRender(command({ input_key, requires: [] })), { data: { input_key } })
  t.throws(() => parseRender(command({ input_key, requires: ['three-dimensions'] })), {
    name: Released.name,
    message: 'the document needs a newer renderer, for three-dimensions',
  })
})

t.test('so is one with values that this version refuses; others are malformed', async (t) => {
  const unreadable = { input_key: 7 }
  t.throws(() => parseRender(command({ ...unreadable, requires: ['three-dimensions'] })), { name: Released.name })
  t.throws(() => parseRender(command(unreadable)), { name: MalformedMessage.name })
  t.throws(() => parseRender(Buffer.from('{')), { name: MalformedMessage.name })
})

t.test('a command of this process with a long document is as one that is read whole', async (t) => {
  const request = { generation_id: newId('pdf'), owner_id: 'own_default', api_key_id: 'key_1', file_name: '"html":""' }
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
  const html = `<p>"é" \u{1f600} \\ \n</p>`.repeat(4_000)
  const input = { html, options: resolvePdfOptions({ header_html: '<b>"html":""</b>' }) }
  const objects = { put: () => Promise.reject(new Error('it is not stored')) }
  const { command } = await prepareRender(objects, { queue: 'interactive', request, input }, metadata)
  if (!('payload' in command)) throw new Error('it is not encoded')
  const { payload, longText } = command
  const whole = parseRender(payload)
  t.equal(whole.data.input?.html, html)
  const { html: known, ...rest } = parseRender(payload, longText)
  t.strictSame(rest, whole)
  t.equal(known?.text, html)
  t.equal(JSON.parse(Buffer.from(known?.json ?? []).toString()), html)
  t.match(
    (await prepareRender(objects, { queue: 'batch', request, input: { ...input, html: '' } }, metadata)).command,
    {
      longText: undefined,
    },
  )
})
