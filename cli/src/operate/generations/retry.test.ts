import { dirname } from 'node:path'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { encodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import { startPlaten } from '@platen/test-support/notifier/platen.ts'
import t from 'tap'
import { runCli } from '../../testing/run-cli.ts'

t.test('a retry of many generations ends when NATS is lost, and says how many it has not looked at', async (t) => {
  await using stack = await startPlaten()
  const folder = dirname(stack.config.supervisor.folder)
  const env = {
    NATS_URL: stack.nats.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
  }
  const count = 20
  const input_key = 'inputs/pdf_1'
  const input = await encodeInput({ html: '<p>', data: {}, options: resolvePdfOptions() })
  await stack.services.objects.put(input_key, Buffer.from(input), 'application/json')
  const failed = { type: 'GenerationFailed', data: { code: 'RENDER_TIMEOUT', message: 'too slow' } } as const
  for (let number = 0; number < count; number++) await stack.generate(undefined, failed, { input_key })
  let stopping: Promise<void> | undefined
  let printed = 0
  const onLine = () => {
    printed += 1
    if (printed === 3) stopping = stack.nats.stop()
  }
  const { code, stderr } = await runCli(env, ['generations', 'retry', '--all-owners', '--code', 'RENDER_TIMEOUT'], {
    onLine,
  })
  await stopping
  t.match(
    { code, stderr },
    { code: 1, stderr: /^platen: pdf_\w+: .*NATS.*; \d+ other generations were not looked at\n$/ },
  )
  const [, left = ''] = /(\d+) other/.exec(stderr) ?? []
  t.equal(printed + 1 + Number(left), count, 'after the first one that NATS did not answer, no other was waited for')
})
