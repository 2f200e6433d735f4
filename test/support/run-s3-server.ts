import { startS3Server } from '@platen/shared/testing/s3-server/s3-server.ts'

/** The S3 server for tests as a process of its own; it ends with a signal. */
const server = await startS3Server()
const { accessKey, secretKey } = server
console.log(JSON.stringify({ url: server.url('platen'), accessKey, secretKey }))
