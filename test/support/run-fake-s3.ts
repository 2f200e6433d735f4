import { startFakeS3 } from './fake-s3/start-fake-s3.ts'

/** Runs the fake S3 server in a process of its own, until a signal. */
const server = await startFakeS3()
const { accessKey, secretKey } = server
console.log(JSON.stringify({ url: server.url('platen'), accessKey, secretKey }))
