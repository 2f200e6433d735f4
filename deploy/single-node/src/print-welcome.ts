import { rm } from 'node:fs/promises'
import type { FirstApiKey } from './first-api-key.ts'
import { type Welcome, welcome } from './welcome.ts'

interface Printing {
  firstKey: FirstApiKey | undefined
  output: { write(text: string, written: (err?: Error | null) => void): unknown }
  isTerminal: boolean
}

/** Prints the first API key to a terminal, and then deletes its file; elsewhere prints only the path of the file. */
export async function printWelcome(
  shown: Omit<Welcome, 'apiKey'>,
  { firstKey, output, isTerminal }: Printing,
): Promise<void> {
  const apiKey = firstKey && (isTerminal ? { key: firstKey.key } : { path: firstKey.path })
  const err = await new Promise<Error | null | undefined>((resolve) => {
    output.write(welcome({ ...shown, apiKey }), resolve)
  })
  // Nobody saw the key if the terminal was closed: the next start shows it.
  if (firstKey && isTerminal && !err) await rm(firstKey.path, { force: true })
}
