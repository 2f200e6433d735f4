import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { hashSources, readBuilt } from './built-scripts.ts'
import type { PageScripts } from './contract.ts'

type Name = keyof PageScripts
type Result<Script extends Name> = Awaited<ReturnType<PageScripts[Script]>>

const awaited: ReadonlySet<Name> = new Set(['drawTwoFrames'])

const built = readBuilt()
if (built?.sources !== hashSources()) {
  const state = built ? 'are not those of these sources' : 'were not built'
  throw new Error(`the scripts that the renderer runs in pages ${state}: run npm run setup`)
}
const { scripts } = built

/** JavaScript: an expression whose value is the function. It uses nothing but its arguments and the page. */
export function scriptOf(name: Name): string {
  const script = scripts[name]
  if (script === undefined) throw new Error(`no file of page/scripts exports ${name}`)
  return script
}

/**
 * Calls a function in the isolated world of the page, which scripts of the document do not reach. Undefined if it throws.
 */
export function runInPage<Script extends Name>(
  { session, isolatedWorldId }: Pick<BrowserPage, 'session' | 'isolatedWorldId'>,
  name: Script,
  ...values: Parameters<PageScripts[Script]>
): Promise<Result<Script> | undefined> {
  return runInWorld(session, isolatedWorldId, name, ...values)
}

/** The same in a world of one of its frames. */
export async function runInWorld<Script extends Name>(
  session: Pick<BrowserPage['session'], 'send'>,
  executionContextId: number,
  name: Script,
  ...values: Parameters<PageScripts[Script]>
): Promise<Result<Script> | undefined> {
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: scriptOf(name),
    arguments: values.map((value) => ({ value })),
    executionContextId,
    returnByValue: true,
    // Promises do not run on pages whose scripts are disabled.
    awaitPromise: awaited.has(name),
  })
  return exceptionDetails ? undefined : result.value
}
