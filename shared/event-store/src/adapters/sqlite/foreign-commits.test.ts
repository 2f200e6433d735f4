import { appendFileSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { newEvent } from '../../suite/given-store.ts'
import { ForeignCommits } from './foreign-commits.ts'
import { SqliteEventStore } from './store.ts'

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

t.test('a store that is a link is watched at rest, too', async (t) => {
  const folder = t.testdir({ disk: {} })
  const file = join(folder, 'disk', 'events.db')
  const link = join(folder, 'events.db')
  symlinkSync(file, link)
  const store = new SqliteEventStore(link)
  t.teardown(() => store.close())
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  await store.append('note-a', [newEvent()], 'none')
  void store.subscribe({ after: 'start', signal: stop.signal })[Symbol.asyncIterator]().next()
  const inode = statSync(`${file}-wal`).ino.toString(16)
  await until(() => (watchedInodes().includes(inode) ? true : undefined), 'the log is not watched')
})

/** Inodes that this process watches, as the kernel lists them. */
function watchedInodes(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const info = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
      return [...info.matchAll(/^inotify wd:\S+ ino:([\da-f]+)/gm)].map(([, inode = '']) => inode)
    } catch {
      // The file descriptor of the list itself is closed by now.
      return []
    }
  })
}
