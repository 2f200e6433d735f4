import t from 'tap'
import { recordedVersion, upcast } from './upcast.ts'

t.test('an event of any version is read as one of the newest, and one of a later version as it is', async (t) => {
  // Version 1 had one name; version 2 has two; version 3 may have a title.
  const known = {
    PersonNamed: [
      ({ name }: { name?: unknown }) => ({
        first: String(name).split(' ')[0] ?? '',
        last: String(name).split(' ')[1] ?? '',
      }),
      (data: object) => ({ title: '', ...data }),
    ],
  }
  const read = (data: object, version?: number) =>
    upcast({ type: 'PersonNamed', data, metadata: version === undefined ? {} : { version } }, known)
  t.strictSame(read({ name: 'Ann Smith' }), { title: '', first: 'Ann', last: 'Smith' })
  t.strictSame(read({ first: 'Ann', last: 'Smith' }, 2), { title: '', first: 'Ann', last: 'Smith' })
  t.strictSame(read({ title: 'Dr', first: 'Ann', last: 'Smith' }, 3), { title: 'Dr', first: 'Ann', last: 'Smith' })
  const later = { title: 'Dr', first: 'Ann', last: 'Smith', born: '1980' }
  t.equal(read(later, 4), later)
  t.equal(upcast({ type: 'toString', data: later, metadata: {} }, known), later)
  t.same([recordedVersion('PersonNamed', known), recordedVersion('PersonBorn', known)], [3, 1])
})
