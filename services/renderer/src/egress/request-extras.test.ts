import t from 'tap'
import { headersOf } from './request-extras.ts'

t.test('headers of a scope go to URLs that match, and cookies to their host and path', async (t) => {
  const headersFor = headersOf({
    headers: [
      { name: 'X-A', value: '1', scope: '^https?://a\\.example/' },
      { name: 'X-B', value: '2', scope: 'b\\.example' },
      { name: 'Host', value: 'other' },
      { name: 'bad name', value: '1' },
    ],
    cookies: [
      { name: 'c', value: '1', domain: '.a.example', path: '/in' },
      { name: 's', value: '1', domain: 'a.example', secure: true },
    ],
  })
  t.same(await headersFor(new URL('http://a.example/in/x')), { 'x-a': '1', cookie: 'c=1' })
  t.same(await headersFor(new URL('https://a.example/inside')), { 'x-a': '1', cookie: 's=1' })
})

t.test('a scope takes linear time, and other work goes on between two matches', async (t) => {
  // Backtracking tries 2^200 ways through the letters before it looks at the end.
  const scope = '/(x+x+)+!|end$'
  const headersFor = headersOf({
    headers: Array.from({ length: 64 }, (_, at) => ({ name: `X-${at}`, value: '1', scope })),
  })
  await headersFor(new URL('http://b.example/'))
  const turns = countTurns()
  const added = await headersFor(new URL(`http://b.example/${'x'.repeat(200)}end`))
  t.equal(Object.keys(added).length, 64)
  t.ok(turns.stop() >= 64)
})

t.test('a document has its scopes tried on so many URLs only, and none on a URL that is very long', async (t) => {
  const headersFor = headersOf({ headers: [{ name: 'X-A', value: '1', scope: 'b\\.example/(a?){10}' }] })
  t.same(await headersFor(new URL(`http://b.example/${'a'.repeat(30_000)}`)), {})
  const url = new URL(`http://b.example/${'a'.repeat(2_000)}`)
  let sent = 0
  for (let at = 0; at < 1_000; at++) sent += 'x-a' in (await headersFor(url)) ? 1 : 0
  t.ok(sent > 50 && sent < 1_000, `${sent} requests had the header`)
})

/** Counts the turns of the event loop. */
function countTurns(): { stop: () => number } {
  let turns = 0
  let next: NodeJS.Immediate
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  next = setImmediate(turn)
  return {
    stop() {
      clearImmediate(next)
      return turns
    },
  }
}
