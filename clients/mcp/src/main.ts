#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Platen } from '@platen/client'
import { buildServer } from './server.ts'

const { PLATEN_URL: url = 'http://127.0.0.1:3000', PLATEN_API_KEY: key } = process.env

try {
  if (!key) throw new TypeError('PLATEN_API_KEY is not set. Use a key with the scopes templates:read and generate.')
  await buildServer(new Platen({ url, key })).connect(new StdioServerTransport())
} catch (err) {
  if (!(err instanceof TypeError)) throw err
  // stdout belongs to the protocol.
  console.error(`platen-mcp: ${err.message}`)
  process.exitCode = 1
}
