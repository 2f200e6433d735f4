import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { descendantsOf } from '../../../../test/support/processes.ts'

const scripted = '<p>drawn</p><script>document.title = "x"</script>'

const browsers = async () =>
  (await descendantsOf(process.pid)).filter(
    ({ command }) => /--user-data-dir/.test(command) && !/--type=/.test(command),
  )

t.test('the browser for scripts runs only while documents need it', async (t) => {
  await using printer = await openTestPrinter({ restAfterMs: 1 })
  t.match(
    printer.state().scripted,
    { up: true, failed_starts: 0, pid: undefined },
    'it is not started with the printer',
  )
  const before = (await browsers()).length
  t.equal((await printer.printHtml('<p>static')).engine.mode, 'static')
  t.equal((await browsers()).length, before)

  for (const round of ['the first document', 'a document after the pause']) {
    const prints = await Promise.all([printer.printHtml(scripted), printer.printHtml(scripted)])
    t.strictSame(
      prints.map(({ engine }) => engine.mode),
      ['scripted', 'scripted'],
      `${round} starts it, another one waits for it`,
    )
    const rested = async () => (printer.state().scripted.pid === undefined ? true : undefined)
    await until(rested, 'the browser is not closed')
    await until(async () => ((await browsers()).length === before ? true : undefined), 'its processes have not exited')
    t.match(printer.state().scripted, { up: true, replaced: { crash: 0 } })
    await printer.check()
  }
})

t.test('a document does not pay from its own time for the start of the browser', async (t) => {
  const chromium = findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
  const seconds = 8
  const folder = t.testdir({})
  // Delays only the browser for scripts, which has this flag for WebGL.
  const slow = `case "$*" in *swiftshader*) sleep ${seconds} ;; esac`
  const executablePath = join(folder, 'chromium-headless-shell')
  await writeFile(executablePath, `#!/bin/sh\n${slow}\nexec ${chromium} "$@"\n`, { mode: 0o755 })
  await using printer = await openTestPrinter({ executablePath, webgl: true, deadlineMs: seconds * 1_000 })
  t.equal((await printer.printHtml(scripted)).engine.mode, 'scripted')
})
