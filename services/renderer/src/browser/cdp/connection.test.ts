import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { maxReportChars, openConnection } from './connection.ts'

t.test('a report longer than anybody reads arrives without its content, any other message whole', async (t) => {
  const output = new PassThrough()
  const connection = openConnection({ input: new PassThrough(), output, maxAnswerBytes: 1e6 })
  t.teardown(() => connection.close())
  const session = connection.session('S1')
  const heard: unknown[] = []
  session.on('Log.entryAdded', (params: unknown) => heard.push(params))
  session.on('Page.frameNavigated', ({ frame }) => heard.push(frame.url.length))
  const tell = (method: string, params: object) =>
    output.write(`${JSON.stringify({ method, params, sessionId: 'S1' })}\0`)

  const long = 'x'.repeat(maxReportChars)
  tell('Log.entryAdded', { entry: { text: 'short' } })
  tell('Log.entryAdded', { entry: { text: long } })
  tell('Page.frameNavigated', { frame: { url: long } })
  await turn()
  t.strictSame(heard, [{ entry: { text: 'short' } }, {}, long.length])
})
