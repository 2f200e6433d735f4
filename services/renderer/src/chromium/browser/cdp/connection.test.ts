import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Connection, maxReportBytes } from './connection.ts'
import type { PrintedAnswer } from './printed-answer.ts'

t.test('a report that is too long arrives without its parameters, any other message unchanged', async (t) => {
  const output = new PassThrough()
  const connection = new Connection({ input: new PassThrough(), output, maxAnswerBytes: 1e6 })
  t.teardown(() => connection.close())
  const session = connection.session('S1')
  const received: unknown[] = []
  session.on('Log.entryAdded', (params: unknown) => received.push(params))
  session.on('Page.frameNavigated', ({ frame }) => received.push(frame.url.length))
  const report = (method: string, params: object) =>
    output.write(`${JSON.stringify({ method, params, sessionId: 'S1' })}\0`)

  const long = 'x'.repeat(maxReportBytes)
  report('Log.entryAdded', { entry: { text: 'short' } })
  report('Log.entryAdded', { entry: { text: long } })
  report('Page.frameNavigated', { frame: { url: long } })
  await nextTurn()
  t.strictSame(received, [{ entry: { text: 'short' } }, {}, long.length])
})

t.test('an event that nobody listens to is counted and not parsed', async (t) => {
  const output = new PassThrough()
  const connection = new Connection({ input: new PassThrough(), output, maxAnswerBytes: 1e6 })
  t.teardown(() => connection.close())
  const [first, second] = [connection.session('S1'), connection.session('S2')]
  const received: unknown[] = []
  second.on('Page.windowOpen', (params: unknown) => received.push(params))
  output.write('{"method":"Page.windowOpen","params":{no JSON},"sessionId":"S1"}\0')
  output.write('{"method":"Page.windowOpen","params":{"url":"\\"sessionId\\":\\"S1\\"}"},"sessionId":"S2"}\0')
  output.write('{"method":"Target.targetInfoChanged","params":{no JSON}}\0')
  output.write('{"method":"Page.windowOpen","params":{},"sessionId":"unknown"}\0')
  await nextTurn()
  t.strictSame(received, [{ url: '"sessionId":"S1"}' }])
  t.strictSame([first.received, second.received, connection.browser.received], [1, 1, 1])
})

t.test('a long printed file arrives as bytes, a short one as Base64', async (t) => {
  const output = new PassThrough()
  const connection = new Connection({ input: new PassThrough(), output, maxAnswerBytes: 1e8 })
  t.teardown(() => connection.close())
  const session = connection.session('S1')
  let asked = 0
  for (const length of [10, 786_432, 3_000_001, 3_000_002]) {
    const file = randomBytes(length)
    const printed: Promise<PrintedAnswer> = session.send('Page.printToPDF', {})
    const other = session.send('IO.read', { handle: '1' })
    const id = 2 * asked++ + 1
    output.write(`${JSON.stringify({ id: id + 1, result: { data: 'é"'.repeat(800_000) }, sessionId: 'S1' })}\0`)
    output.write(`${JSON.stringify({ id, result: { data: file.toString('base64'), stream: 'é' }, sessionId: 'S1' })}\0`)
    const { data, bytes, stream } = await printed
    t.ok(file.equals(bytes ?? Buffer.from(data, 'base64')), `${length} bytes`)
    t.equal(bytes !== undefined, length > 10)
    t.equal(stream, 'é')
    t.equal((await other).data.length, 1_600_000)
  }
  const refused = session.send('Page.printToPDF', {})
  output.write(`${JSON.stringify({ id: 9, error: { message: 'x'.repeat(2_000_000) }, sessionId: 'S1' })}\0`)
  await t.rejects(refused, { message: /^Page.printToPDF: xxx/ })
})
