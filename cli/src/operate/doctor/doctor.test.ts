import { freePort } from '@platen/test-support/free-port.ts'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

t.test('an EventStoreDB that does not answer is named by its address, without its login', async (t) => {
  const [port, nats] = [await freePort(), await freePort()]
  const ran = await runCli(
    {
      DATA_DIR: t.testdir({}),
      NATS_URL: `nats://127.0.0.1:${nats}`,
      EVENT_STORE_URL: `esdb://ann:s3cret@127.0.0.1:${port}?tls=false`,
    },
    ['doctor', '--json'],
  )
  const found = jsonLines(ran).find(({ name }) => name === 'event store')
  t.match(found, { state: 'wrong', found: `EventStoreDB at 127.0.0.1:${port}: ` })
  t.notMatch(ran.stdout + ran.stderr, 's3cret')
})
