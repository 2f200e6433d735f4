import { execFile, spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'
import { objectCategories } from '@platen/domain/streams/object-categories.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { freePorts } from '@platen/test-support/free-port.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { readCompose, root } from '../testing/compose-file.ts'

const run = promisify(execFile)
const { MINIO_PATH = '', MC_PATH = '' } = process.env
const skip = MINIO_PATH && MC_PATH ? false : 'MINIO_PATH and MC_PATH name no programs of MinIO'

t.test('the health check is that of the Compose file, with its variables', async (t) => {
  const { minio } = readCompose().services
  t.same(minio?.healthcheck.test, ['CMD', 'sh', '/platen/minio-ready.sh'])
  t.ok(minio?.volumes?.includes('./deploy/object-store:/platen:ro'))
  const names = Object.keys(minio?.environment ?? {})
  for (const name of ['MINIO_ROOT_USER', 'MINIO_ROOT_PASSWORD', 'OBJECT_STORE_RENDERER_ACCESS_KEY'])
    t.ok(names.includes(name), name)
})

t.test('with it MinIO has the user of the renderers and no more rights, however often it runs', { skip }, async (t) => {
  const [port] = await freePorts(1)
  const folder = t.testdir({ data: {}, home: {} })
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: [dirname(MC_PATH), process.env.PATH].join(delimiter),
    HOME: `${folder}/home`,
    TMPDIR: `${folder}/home`,
    MINIO_ROOT_USER: 'platen',
    MINIO_ROOT_PASSWORD: 'a-root-password',
    OBJECT_STORE_RENDERER_ACCESS_KEY: 'platen-renderer',
    OBJECT_STORE_RENDERER_SECRET_KEY: 'a-secret-of-the-renderer',
    MINIO_URL: url,
    // `mc ready local`: the server of the container.
    MC_HOST_local: url,
  }
  const server = spawn(MINIO_PATH, ['server', '--address', `127.0.0.1:${port}`, `${folder}/data`], {
    env,
    stdio: 'ignore',
  })
  t.teardown(() => server.kill('SIGKILL'))
  const check = (changed = {}) =>
    run('sh', [`${root}/deploy/object-store/minio-ready.sh`], { env: { ...env, ...changed } })
  await until(
    () =>
      check().then(
        () => true,
        () => undefined,
      ),
    'MinIO is not ready',
  )
  const store = (accessKey: string, secretKey: string) =>
    openObjectStore(`s3://127.0.0.1:${port}/platen?tls=false`, { accessKey, secretKey, categories: objectCategories })
  const services = await store('platen', 'a-root-password')
  await services.put('inputs/x', Buffer.from('x'), 'text/plain')
  const renderer = await store('platen-renderer', 'a-secret-of-the-renderer')
  await renderer.put('pdfs/x', Buffer.from('x'), 'application/pdf')
  t.ok(await renderer.get('inputs/x'))
  for (const key of ['inputs/x', 'assets/x', 'archive/x'])
    await t.rejects(renderer.put(key, Buffer.from('y'), 'text/plain'), { message: /AccessDenied/ }, key)
  await t.rejects(renderer.get('archive/x'), { message: /AccessDenied/ })

  await check()
  // A new container has another /tmp, and may have another secret.
  await check({ TMPDIR: folder, OBJECT_STORE_RENDERER_SECRET_KEY: 'another-secret-of-the-renderer' })
  const changed = await store('platen-renderer', 'another-secret-of-the-renderer')
  await changed.put('pdfs/y', Buffer.from('y'), 'application/pdf')
  await t.rejects(renderer.put('pdfs/z', Buffer.from('z'), 'application/pdf'))
})
