import t from 'tap'
import { Places } from './places.ts'

/** Takes as many places as the owner gets. */
function takeAll(places: Places, ownerId: string): Disposable[] {
  const taken: Disposable[] = []
  for (let place = places.take(ownerId); place; place = places.take(ownerId)) taken.push(place)
  return taken
}

t.test('an owner has its limit, and one that comes when others have theirs finds some', async (t) => {
  const places = new Places({ all: 32, atMost: 4 })
  const owners = Array.from({ length: 10 }, (_, at) => `own_${at}`)
  const taken = owners.map((owner) => takeAll(places, owner))
  t.strictSame(
    taken.map(({ length }) => length),
    [4, 4, 4, 4, 4, 4, 4, 2, 1, 1],
  )
  t.notOk(places.take('own_10'), 'more owners than that must wait')
  taken[0]?.[0]?.[Symbol.dispose]()
  t.ok(places.take('own_10'))
})

t.test('a place is given back once', async (t) => {
  const places = new Places({ all: 3 })
  const [first, second] = takeAll(places, 'own_a')
  t.equal(places.takenBy('own_a'), 2)
  for (let times = 0; times < 2; times++) first?.[Symbol.dispose]()
  t.equal(places.takenBy('own_a'), 1)
  second?.[Symbol.dispose]()
  t.equal(places.takenBy('own_a'), 0)
})

t.test('places are counted by what each use has of them', async (t) => {
  const places = new Places({ all: 100, atMost: 30 })
  const held = places.take('own_a', 20)
  t.notOk(places.take('own_a', 20))
  t.ok(places.take('own_b', 20))
  held?.[Symbol.dispose]()
  t.ok(places.take('own_a', 20))
  t.notOk(new Places({ all: 10, timesFree: 9 }).take('own_a', 11), 'never more than are free')
})
