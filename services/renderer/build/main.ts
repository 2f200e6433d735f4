import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuildOptions, build, version } from 'esbuild'
import { type BuiltScripts, builtFile, hashSources, readBuilt } from '../src/page/built-scripts.ts'

// Builds the scripts that the renderer runs in pages. It does nothing if those of these sources are built.

const folder = join(import.meta.dirname, '../src/page/scripts')

const options = {
  bundle: true,
  write: false,
  // They are sent again for each document.
  minify: true,
  charset: 'utf8',
  target: 'es2024',
  // The settings of the checks are of the repository, which an image does not have.
  tsconfigRaw: '{}',
  logLevel: 'warning',
} satisfies BuildOptions

/** The names of the functions that each file exports. */
async function exportsOf(files: readonly string[]): Promise<[file: string, name: string][]> {
  const entryPoints = files.map((file) => join(folder, file))
  const { metafile } = await build({ ...options, entryPoints, outdir: folder, format: 'esm', metafile: true })
  const outputs = Object.values(metafile.outputs)
  return outputs.flatMap(({ entryPoint = '', exports }) =>
    exports.map((name): [string, string] => [join(process.cwd(), entryPoint), name]),
  )
}

/** An expression whose value is the function. Only what it uses of other files is in it. */
async function bundle(file: string, name: string): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: `import { ${name} } from ${JSON.stringify(file)}\nscript = ${name}`, resolveDir: folder },
    format: 'iife',
    banner: { js: '(()=>{let script;' },
    footer: { js: 'return script})()' },
  })
  const [script] = outputFiles
  if (script === undefined) throw new Error(`esbuild wrote nothing for ${name} of ${file}`)
  return script.text
}

const sources = hashSources()
const builder = createHash('sha256')
  .update(version)
  .update(readFileSync(import.meta.filename))
  .digest('hex')
const built = readBuilt()
if (built?.sources !== sources || built.builder !== builder) {
  const files = readdirSync(folder)
  const bundles = (await exportsOf(files)).map(async ([file, name]) => [name, await bundle(file, name)])
  const scripts: BuiltScripts['scripts'] = Object.fromEntries(await Promise.all(bundles))
  // A rename, so that a renderer that starts meanwhile reads a whole file.
  const part = `${builtFile}.${process.pid}`
  mkdirSync(dirname(builtFile), { recursive: true })
  writeFileSync(part, JSON.stringify({ sources, builder, scripts } satisfies BuiltScripts))
  renameSync(part, builtFile)
}
