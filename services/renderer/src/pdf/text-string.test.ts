import t from 'tap'
import { readTextString, writeTextString } from './text-string.ts'

t.test('a text is read as it was written', async (t) => {
  for (const text of ['', 'plain', '(a) \\ b)', 'Größe 漢字 😀', '\u0000\r\n', '\ud800'.toWellFormed()]) {
    t.equal(readTextString(writeTextString(text)), text)
  }
})

t.test('every form of a string is read', async (t) => {
  t.equal(readTextString('(a\\(b\\)\\n\\101\\53\\\nc)'), 'a(b)\nA+c')
  t.equal(readTextString('<48 69>'), 'Hi')
  t.equal(readTextString('(\xfe\xff\0H)'), 'H')
  t.equal(readTextString('<FEFF0048 00>'), 'H')
  t.equal(readTextString('5 0 R'), undefined)
  t.equal(readTextString(''), undefined)
})
