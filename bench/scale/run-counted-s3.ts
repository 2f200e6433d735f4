import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFakeS3 } from '../../test/support/fake-s3/start-fake-s3.ts'

// The fake S3 in a process of its own, until a signal. It prints its URL and keys, and one that answers with the number of requests
// by method.

const s3 = await startFakeS3()
const counts: Record<string, number> = {}
const server = createServer((_, response) => {
  for (const request of s3.requests.splice(0)) {
    const [method = ''] = request.split(' ')
    counts[method] = (counts[method] ?? 0) + 1
  }
  response.end(JSON.stringify(counts))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const { accessKey, secretKey } = s3
console.log(JSON.stringify({ url: s3.url('platen'), accessKey, secretKey, counts: `http://127.0.0.1:${port}` }))
