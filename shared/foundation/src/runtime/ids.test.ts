import t from 'tap'
import { derivedUuid, hashedId, idTimeMs, newId } from './ids.ts'

t.test('an id is its prefix and 26 characters, sorts by creation and contains its time', async (t) => {
  const before = Date.now()
  const ids = Array.from({ length: 5_000 }, () => newId('pdf'))
  for (const id of ids.slice(0, 10)) t.match(id, /^pdf_[0-9a-hjkmnp-tv-z]{26}$/)
  t.strictSame(ids, [...ids].sort(), 'sorted by creation')
  t.equal(new Set(ids).size, ids.length)
  const time = idTimeMs(ids[0] ?? '')
  t.ok(time >= before && time <= Date.now())
})

t.test('derived ids are equal for equal parts only', async (t) => {
  t.equal(hashedId('msg', 'a', 'b'), hashedId('msg', 'a', 'b'))
  t.match(hashedId('msg', 'a', 'b'), /^msg_[0-9a-hjkmnp-tv-z]{26}$/)
  t.not(hashedId('msg', 'a', 'b'), hashedId('msg', 'b', 'a'))
})

t.test('derived UUIDs are of version 8', async (t) => {
  t.match(derivedUuid('command', 'stream', 1), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.equal(derivedUuid('command', 1), derivedUuid('command', 1))
  t.not(derivedUuid('command', 1), derivedUuid('command', 2))
})
