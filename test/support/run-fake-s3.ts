import { startFakeS3 } from './fake-s3/start-fake-s3.ts'

/** The S3 server for tests as a process of its own; it ends with a signal. */
const server = await startFakeS3()
const { accessKey, secretKey } = server
console.log(JSON.stringify({ url: server.url('platen'), accessKey, secretKey }))
