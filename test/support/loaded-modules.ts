import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const program = `
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      console.log(url)
      return next(url, context)
    },
  })
  await import(process.argv[1])`

/** The URLs of the modules that Node loads with a file, in a process of its own. */
export async function loadedModules(file: URL): Promise<string[]> {
  const args = ['--input-type=module', '--eval', program, file.href]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 })
  return stdout.trim().split('\n')
}
