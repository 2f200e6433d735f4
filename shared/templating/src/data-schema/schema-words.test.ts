import t from 'tap'
import { uncheckedWords } from './schema-words.ts'

t.test(
  'after twenty words without an effect the rest is not looked at: a hint for each of 5,000 takes seconds',
  async (t) => {
    const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`propertie${n}`, 1]))
    let looked = 0
    const watched = {
      get propertie() {
        return ++looked
      },
    }
    t.equal(uncheckedWords({ allOf: [wrong, watched] }, []).length, 20)
    t.equal(looked, 0)
    t.match(uncheckedWords({ allOf: [watched] }, []), [
      { path: 'allOf[0].propertie', message: /did you mean properties/ },
    ])
    t.equal(looked, 1)
  },
)
