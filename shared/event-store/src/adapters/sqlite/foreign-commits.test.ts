import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ForeignCommits } from './foreign-commits.ts'

t.test('commits of others are found at rest, when the file is hardly read', async (t) => {
  const logPath = join(t.testdir({}), 'events.db-wal')
  writeFileSync(logPath, '')
  let end = 3
  let reads = 0
  const found: number[] = []
  using commits = new ForeignCommits({
    logPath,
    readEnd: () => {
      reads++
      return end
    },
    onFound: () => found.push(end),
  })
  const readsIn = async (ms: number) => {
    const before = reads
    await sleep(ms)
    return reads - before
  }
  commits.watch()
  while (found.length < 1) await sleep(10)
  while ((await readsIn(500)) > 1) t.equal(found.length, 1)

  t.comment('a commit is written some time before it can be read')
  appendFileSync(logPath, 'frame')
  await sleep(30)
  end = 4
  while (found.length < 2) await sleep(10)

  while ((await readsIn(500)) > 1);
  t.comment('and one of which the operating system does not tell')
  end = 5
  while (found.length < 3) await sleep(10)
  t.strictSame(found, [3, 4, 5])
})
