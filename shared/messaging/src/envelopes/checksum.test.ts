import { headers } from 'nats'
import t from 'tap'
import { checksumHeader, damageOf, isIntact, setChecksum } from './checksum.ts'

t.test('the checksum is a CRC-32 in eight hexadecimal digits, and stays that of the first sender', async (t) => {
  const ofSender = headers()
  // The check value of CRC-32/ISO-HDLC in the catalogue of https://reveng.sourceforge.io/crc-catalogue/
  setChecksum(ofSender, '123456789')
  t.equal(ofSender.get(checksumHeader), 'cbf43926')
  setChecksum(ofSender, 'other bytes')
  t.equal(ofSender.get(checksumHeader), 'cbf43926')
  t.ok(isIntact(ofSender, Buffer.from('123456789')))
  t.notOk(isIntact(ofSender, Buffer.from('123456780')))
  t.ok(isIntact(headers(), Buffer.from('of an older release')))
})

t.test('damage says which bytes are wrong, and not what they are', async (t) => {
  const damage = (received: string) => damageOf(Buffer.from(received), Buffer.from('123456789'))
  t.strictSame(damage('123456789'), { size: 9, wrong_bytes: 0 }, 'its headers are wrong')
  t.strictSame(damage('12x45x789'), { size: 9, wrong_bytes: 2, first: 2, last: 5 })
  t.strictSame(damage('1234567'), { size: 9, wrong_bytes: 2, first: 7, last: 8 })
})
