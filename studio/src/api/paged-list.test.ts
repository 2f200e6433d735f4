import t from 'tap'
import { type Page, pagedList } from './paged-list.ts'

type Item = { id: string; at: number }

t.test('an item that two pages have is shown once, also after a reload and a change', async (t) => {
  const pages = new Map<string | undefined, Page<Item>>()
  const page = (ids: string, next_cursor?: string): Page<Item> => ({
    data: Array.from(ids, (id, at) => ({ id, at })),
    ...(next_cursor !== undefined && { next_cursor }),
  })
  const list = pagedList<Item>(
    async (cursor) => pages.get(cursor) ?? page(''),
    ({ id }) => id,
  )
  const shown = () => list.items.value.map(({ id }) => id).join('')
  pages.set(undefined, page('ab', '2')).set('2', page('bcd', '3'))
  await list.loadMore()
  await list.loadMore()
  t.equal(shown(), 'abcd')
  pages.set('3', page('cde'))
  list.update((items) => items.filter(({ id }) => id !== 'c'))
  await list.loadMore()
  t.equal(shown(), 'abdce', 'what was taken away can come again')
  t.equal(list.state.value, 'complete')
  pages.set(undefined, page('xa', '2')).set('2', page('abx'))
  await list.reload()
  t.equal(shown(), 'xa')
  await list.loadMore()
  t.equal(shown(), 'xab')
})

t.test('a page that fails is loaded again', async (t) => {
  let fails = false
  const list = pagedList<Item>(
    async (cursor) => {
      if (fails) throw new Error('away')
      return cursor === undefined ? { data: [{ id: 'a', at: 0 }], next_cursor: '2' } : { data: [{ id: 'b', at: 0 }] }
    },
    ({ id }) => id,
  )
  await list.loadMore()
  fails = true
  await list.loadMore()
  t.equal(list.state.value, 'failed')
  t.match(list.error.value, { message: 'away' })
  fails = false
  await list.loadMore()
  t.match(list.items.value, [{ id: 'a' }, { id: 'b' }])
  t.equal(list.error.value, undefined)
})
