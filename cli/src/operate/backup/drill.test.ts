import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { natsServerPath } from '@platen/test-support/nats-server.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { startPlaten } from '@platen/test-support/platen.ts'
import { processesNaming, untilGone } from '@platen/test-support/processes.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

t.setTimeout(300_000)

const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env

t.test(
  'a backup is restored, started and compared, beside the running Platen, and nothing is sent or left',
  async (t) => {
    await using receiver = await startReceiver((response) => response.writeHead(500).end())
    await using platen = await startPlaten({ WEBHOOK_SCHEDULE: '0,2,2,2,2,2,2,2,2,2,2,2,2' })
    const folder = t.testdir({ scratch: {} })
    const [backup, scratch] = [join(folder, 'backup'), join(folder, 'scratch')]
    const env = { PATH, HOME, NODE_COMPILE_CACHE, NATS_SERVER_PATH: natsServerPath, DATA_DIR: platen.dataDir }
    const drill = (...args: string[]) => runCli(env, ['backup', 'drill', ...args, '--scratch', scratch])

    const { body: template } = await platen.json<{ id: string }>('/v1/templates', {
      body: { name: 'Drilled', html: '<p>{{name}}</p>', sample_data: {} },
    })
    await platen.json(`/v1/templates/${template.id}`, { method: 'PATCH', body: { html: '<p>Dear {{name}}</p>' } })
    const documents = [
      { html: '<p>one</p>' },
      { template: template.id, data: { name: 'Ann' }, metadata: { order: '7' }, file_name: 'Letter' },
    ]
    const ids: string[] = []
    for (const body of documents) ids.push((await platen.json<{ id: string }>('/v1/generate', { body })).body.id)
    const webhook_url = receiver.url('/hook')
    await platen.json('/v1/generate', { body: { html: '<p>three</p>', async: true, webhook_url } })
    await until(() => receiver.received.length > 0 || undefined, 'no webhook was sent')
    t.match(await runCli(env, ['backup', backup]), { code: 0 })

    const [result] = jsonLines(await drill(backup, '--json'))
    t.match(result, { succeeded: true, differences: 0, templates: 1, objects: Number })
    t.ok(result.documents >= 2)
    t.same(await readdir(scratch), [], 'what it has made is removed')
    t.match(await drill('--documents', '1'), { code: 0, stdout: '1 documents and 1 templates are as recorded' })

    await t.test('no webhook that was due is sent, and nothing is left, also after Ctrl-C and kill -9', async (t) => {
      await platen.stop()
      const sent = receiver.received.length
      t.match(await drill(), { code: 0, stdout: 'Nothing was sent' })
      const stop = new AbortController()
      const stopped = runCli(env, ['backup', 'drill', '--scratch', scratch], { signal: stop.signal })
      const running = await until(async () => {
        const found = await processesNaming(scratch)
        return found.length > 0 ? found : undefined
      }, 'the drill did not start')
      stop.abort()
      t.match(await stopped, { code: 1, stderr: 'the drill was interrupted; what it has made is removed' })
      await untilGone(running)
      t.same(await readdir(scratch), [])

      const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
      const child = spawn(process.execPath, [main, 'backup', 'drill', backup, '--scratch', scratch], {
        env,
        stdio: 'ignore',
      })
      const nats = async () => {
        const found = await processesNaming(scratch)
        return found.some(({ command }) => command.includes('nats-server')) ? found : undefined
      }
      const left = await until(nats, 'nats-server was not started')
      child.kill('SIGKILL')
      await once(child, 'exit')
      await untilGone(left)
      t.same(await readdir(scratch), [], 'Platen removes it when its parent is gone')
      t.equal(receiver.received.length, sent, 'no webhook was sent')
    })

    await t.test('an answer or a file that is not as recorded fails the drill', async (t) => {
      const [first = ''] = ids
      const pdfs = join(platen.dataDir, 'objects/pdfs')
      const file = (await readdir(pdfs)).find((name) => name.startsWith(first)) ?? ''
      await appendFile(join(pdfs, file), ' ')
      const { code, stdout } = await drill()
      t.equal(code, 1)
      t.match(stdout, `document ${first}: its file has `)
      t.match(stdout, 'the drill FAILED: 1 differences')
      t.match(await drill(join(folder, 'scratch')), { code: 1, stderr: 'there is no whole backup in' })
      t.same(await readdir(scratch), [])
      const broken = { ...env, NATS_SERVER_PATH: '/bin/false' }
      t.match(await runCli(broken, ['backup', 'drill', backup, '--scratch', scratch]), {
        code: 1,
        stderr: 'Platen did not start with the restored data: drill cannot run',
      })
      t.same(await readdir(scratch), [])
    })

    await t.test('files that were lost before the backup fail the drill', async (t) => {
      await rename(join(platen.dataDir, 'objects/pdfs'), join(folder, 'pdfs'))
      const { code, stdout } = await drill()
      await rename(join(folder, 'pdfs'), join(platen.dataDir, 'objects/pdfs'))
      t.equal(code, 1)
      for (const id of ids) t.match(stdout, `document ${id}: its file is answered with 410`)
    })

    await t.test('one that hangs ends after --limit, as failed', async (t) => {
      const hanging = join(folder, 'nats-server')
      await writeFile(
        hanging,
        '#!/bin/sh\n[ "$1" = --version ] && echo "nats-server: v2.15.1" && exit\nexec sleep 300\n',
        { mode: 0o755 },
      )
      const waiting = { ...env, NATS_SERVER_PATH: hanging }
      const { code, stderr } = await runCli(waiting, ['backup', 'drill', backup, '--scratch', scratch, '--limit', '5s'])
      t.match(
        { code, stderr },
        { code: 1, stderr: 'the drill has not ended in 5 s (--limit); what it has made is removed' },
      )
      t.same(await processesNaming(scratch), [])
      t.same(await readdir(scratch), [])
    })
  },
)
