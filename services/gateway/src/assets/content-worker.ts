import { parentPort } from 'node:worker_threads'
import { contentReferences, type TypedContent } from './content-references.ts'

parentPort?.on('message', async (content: TypedContent) => parentPort?.postMessage(await contentReferences(content)))
