import { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import t from 'tap'
import { parseEvent } from './parse-event.ts'

const event = {
  specversion: '1.0',
  id: '5b1f0a3e-0000-8000-8000-000000000000',
  source: 'dep_1/renderer',
  type: 'com.platen.GenerationFailed',
  subject: 'pdf_1',
  time: '2026-01-31T12:00:00.000Z',
  datacontenttype: 'application/json',
  data: { code: 'RENDER_FAILED', message: 'no' },
  revision: 2,
}
const parse = (value: unknown) => parseEvent(Buffer.from(JSON.stringify(value)))

t.test('a published event is parsed, and has the type of the log', async (t) => {
  t.strictSame(parse(event), { ...event, type: 'GenerationFailed' })
})

t.test('anything else throws MalformedMessage', async (t) => {
  t.throws(() => parseEvent(Buffer.from('{')), MalformedMessage)
  const types = ['GenerationFailed', 'com.example.GenerationFailed', 5].map((type) => ({ ...event, type }))
  const others = [
    { ...event, id: 5 },
    { ...event, specversion: '0.3' },
    { ...event, time: 'today' },
  ]
  for (const wrong of [null, [], ...types, ...others]) {
    t.throws(() => parse(wrong), MalformedMessage, JSON.stringify(wrong))
  }
})
