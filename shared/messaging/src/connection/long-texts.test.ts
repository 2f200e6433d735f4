import t from 'tap'
import { type LongText, LongTexts } from './long-texts.ts'

const longText = (text: string): LongText => {
  const payload = Buffer.from(`{"html":${JSON.stringify(text)}}`)
  return { text, payload, start: 8, end: payload.byteLength - 1 }
}

function receiving(): LongTexts {
  const texts = new LongTexts()
  texts.receive()
  return texts
}

t.test('the text of a message is found once, by its id and its bytes', async (t) => {
  const texts = receiving()
  const sent = longText('a"b')
  texts.add('one', sent)
  t.equal(texts.take('two', sent.payload), undefined)
  t.equal(texts.take('one', Buffer.from(sent.payload)), sent)
  t.equal(texts.take('one', sent.payload), undefined, 'a redelivery is read')
})

t.test('a message with other bytes is read, whatever its id', async (t) => {
  const texts = receiving()
  texts.add('one', longText('sent'))
  t.equal(texts.take('one', longText('else').payload), undefined)
})

t.test('a process that receives no such messages keeps nothing', async (t) => {
  const texts = new LongTexts()
  const sent = longText('a')
  texts.add('one', sent)
  t.equal(texts.take('one', sent.payload), undefined)
})

t.test('what nobody takes is forgotten beyond 16 MiB, the oldest first', async (t) => {
  const texts = receiving()
  const sent = Array.from({ length: 17 }, () => longText('x'.repeat(2 ** 20)))
  for (const [nth, text] of sent.entries()) texts.add(String(nth), text)
  texts.add('16', sent[16] as LongText)
  const kept = sent.map(({ payload }, nth) => texts.take(String(nth), payload) !== undefined)
  t.strictSame(kept, [false, false, ...Array.from({ length: 15 }, () => true)])
})
