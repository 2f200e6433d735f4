import t from 'tap'
import { curlOf, platenOf } from './commands.ts'

t.test('words of the address of a page stay one word in the commands', async (t) => {
  const query = {
    origin: 'http://127.0.0.1:3000',
    template: 'a b',
    from: 1,
    to: 2,
    data: { kind: 'sample-data' },
    owner: "x'; rm -r /",
  } as const
  t.match(platenOf(query), `diff 'a b' --from 1 --to 2 --pages --owner 'x'\\''; rm -r /'`)
  t.match(curlOf(query), /owner=x%27%3B\+rm\+-r\+%2F&pages=true'$/)
})
