import t from 'tap'
import { forwardCalls } from './forward-calls.ts'

/** SQLITE_CORRUPT, as node:sqlite throws it. */
const damage = () => Object.assign(new Error('database disk image is malformed'), { errcode: 11 })

t.test('damage is reported, whether a method throws or rejects', async (t) => {
  const seen: unknown[] = []
  const broken = {
    find(): string {
      throw damage()
    },
    async list(): Promise<string[]> {
      throw damage()
    },
  }
  const view = forwardCalls(
    () => broken,
    (err) => seen.push(err),
  )
  t.throws(() => view.find(), { name: 'DependencyUnavailable' })
  await t.rejects(view.list(), { name: 'DependencyUnavailable' })
  t.equal(seen.length, 2)
})

t.test('other errors pass unchanged', async (t) => {
  const buggy = { list: async () => Promise.reject(new TypeError('a bug')) }
  const view = forwardCalls(
    () => buggy,
    () => t.fail('no damage'),
  )
  await t.rejects(view.list(), { name: 'TypeError' })
})

t.test('a search during which the view is replaced is answered by its successor', async (t) => {
  const replaced = Promise.withResolvers<never>()
  const views = [{ list: (): Promise<string[]> => replaced.promise }, { list: async () => ['new'] }] as const
  let current: { list(): Promise<string[]> } = views[0]
  const view = forwardCalls(
    () => current,
    () => t.fail('no damage'),
  )
  const listed = view.list()
  current = views[1]
  replaced.reject(new Error('statement has been finalized'))
  t.strictSame(await listed, ['new'])
})
