import t from 'tap'
import { isKnown, isNoneMatch, isUnchanged, versionToMatch } from './entity-tags.ts'

t.test('If-None-Match is * or a list of weak and strong tags', async (t) => {
  const matching = [
    '*',
    '"3"',
    'W/"3"',
    '"2", "3"',
    '"2","3"',
    '"2"\t,\t"3" ',
    ', "3"',
    '"2",,"3",',
    '"a,b", "3"',
    '"a,\\", "3"',
    '"\xe9", "3"',
    '"", "3"',
  ]
  for (const header of matching) t.ok(isNoneMatch(header, 3), header)
  for (const header of ['"2"', 'W/"2"', '"2,3"', '"!3"']) {
    t.notOk(isNoneMatch(header, 3), header)
  }
  t.notOk(isNoneMatch(undefined, 3))
})

t.test('a malformed list of tags is refused', async (t) => {
  for (const header of [
    '3',
    '"3',
    '3"',
    'w/"3"',
    'W/ "3"',
    '"2" "3"',
    '"2", 3',
    '*, "3"',
    '',
    ' ',
    ',',
    '" "',
    "'3'",
  ]) {
    t.throws(() => isNoneMatch(header, 3), { code: 'INVALID_REQUEST', message: /If-None-Match/ }, header)
    t.throws(() => versionToMatch(header, 3), { code: 'INVALID_REQUEST', message: /If-Match/ }, header)
  }
})

t.test('If-Match compares strongly', async (t) => {
  t.equal(versionToMatch('"2", "3"', 3), 3)
  t.equal(versionToMatch('*', 3), undefined)
  t.equal(versionToMatch('"x,y", "3"', 3), 3)
  t.throws(() => versionToMatch('W/"3"', 3), { code: 'PRECONDITION_FAILED' })
  t.throws(() => versionToMatch('"2,3"', 3), { code: 'PRECONDITION_FAILED' })
})

t.test('a tag that the template never had does not match its version', async (t) => {
  for (const tag of ['"2.0"', '"2.7"', '"02"', '"2."', '"2.00"']) {
    t.throws(() => versionToMatch(tag, 2), { code: 'PRECONDITION_FAILED' }, tag)
  }
  t.equal(versionToMatch('"2.0"', 2, 0), 2)
  t.equal(versionToMatch('"2.0"', 2, 5), 2, 'labels that have changed since do not count')
  t.throws(() => versionToMatch('"2.6"', 2, 5), { code: 'PRECONDITION_FAILED' })
})

t.test('a date that is the second of the change is neither before nor after it', async (t) => {
  const modifiedAt = new Date('2026-03-01T12:00:00.900Z')
  const given = (name: string, header: string) => ({ headers: { [name]: header }, tag: 'a', modifiedAt })
  for (const [date, isAfter] of [
    ['Sun, 01 Mar 2026 11:59:59 GMT', false],
    ['Sun, 01 Mar 2026 12:00:00 GMT', true],
    ['Sun, 01 Mar 2026 12:00:01 GMT', true],
  ] as const) {
    t.equal(isUnchanged(given('if-unmodified-since', date)), isAfter, date)
    t.equal(isKnown(given('if-modified-since', date)), isAfter, date)
  }
})
