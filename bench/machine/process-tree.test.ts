import t from 'tap'
import { cpuMsBetween } from './process-tree.ts'

const service = (cpuMs: number) => ({ pid: 1, parent: 0, cpuMs })
const browser = (cpuMs: number) => ({ pid: 2, parent: 1, cpuMs })
const page = (cpuMs: number) => ({ pid: 3, parent: 2, cpuMs })

t.test('processor time of running and of new processes is added up', async (t) => {
  t.equal(cpuMsBetween([service(100), browser(50)], [service(110), browser(70), page(5)]), 35)
})

t.test('an exited process counts with the time it used in between', async (t) => {
  // The browser used 20 ms more, exited, and was waited for by the service, which used 10 ms itself.
  t.equal(cpuMsBetween([service(100), browser(500)], [service(630)]), 30)
})

t.test('processor time is not negative after a browser was replaced', async (t) => {
  const next = { pid: 4, parent: 1, cpuMs: 40 }
  t.equal(
    cpuMsBetween([service(100), browser(5_000), page(900)], [service(110), next]),
    50,
    'no process has their time',
  )
  t.equal(cpuMsBetween([service(100), browser(5_000), page(900)], [service(5_130), next]), 70, 'only the page was lost')
})
