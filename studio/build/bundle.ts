import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Metafile, type Plugin, stop } from 'esbuild'
import { readErrorGuide } from './error-guide.ts'
import { readExampleFile } from './examples.ts'

/** `import url from './pdf-worker.ts?worker'` is the URL of a script of its own, which `startWorker` of `src/parts/` starts. */
const workerFiles: Plugin = {
  name: 'worker files',
  setup({ onResolve, onLoad, initialOptions: { target = 'es2023', define = {}, minify = true } }) {
    onResolve({ filter: /\?worker$/ }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path.replace(/\?worker$/, ''))
      // The name of the file that is written ends as this one.
      return { path: source.replace(/\.\w+$/, '.js'), namespace: 'worker', pluginData: { source } }
    })
    onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path, pluginData }) => {
      const { outputFiles } = await build({
        entryPoints: [pluginData.source],
        bundle: true,
        write: false,
        format: 'esm',
        target,
        define,
        minify,
      })
      const [script] = outputFiles
      if (script === undefined) throw new Error(`esbuild wrote no script for ${basename(path)}`)
      return { contents: script.contents, loader: 'file' }
    })
  },
}

const studio = join(import.meta.dirname, '..')
const publicPath = '/studio/'

/**
 * Writes `index.html`, and scripts, styles and fonts with a hash of their content in their names to `assets/`. Each page of the
 * studio is a file of its own, which is loaded when it is opened.
 */
export async function bundle(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [join(studio, 'src/main.tsx')],
    absWorkingDir: studio,
    outdir: folder,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    publicPath,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.woff2': 'file' },
    plugins: [workerFiles],
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
  })
  const files = Object.entries(metafile.outputs)
  const entry = files.find(([, { entryPoint }]) => entryPoint === 'src/main.tsx')
  if (entry === undefined) throw new Error('esbuild wrote no main script')
  const urlOf = (file: string) => publicPath + relative(folder, join(studio, file))
  const [script, { cssBundle, imports }] = entry
  // Loaded together with the script instead of after it.
  const preloaded = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => urlOf(path))
  await writeFile(
    join(folder, 'index.html'),
    pageWith({ script: urlOf(script), style: cssBundle && urlOf(cssBundle), preloaded }),
  )
  await cp(join(studio, 'src/look/icon.svg'), join(folder, 'icon.svg'))
  await writeExamples(join(folder, 'examples'))
  await writeFile(join(folder, 'errors.json'), JSON.stringify(await readErrorGuide()))
  return metafile
}

interface Page {
  script: string
  style: string | undefined
  preloaded: readonly string[]
}

function pageWith({ script, style, preloaded }: Page): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<title>Platen</title>
<link rel="icon" href="${publicPath}icon.svg" type="image/svg+xml">
${style === undefined ? '' : `<link rel="stylesheet" href="${style}">`}
${preloaded.map((url) => `<link rel="modulepreload" href="${url}">`).join('\n')}
<script type="module" src="${script}"></script>
<noscript>The studio of Platen needs JavaScript.</noscript>
<div id="studio"></div>
</html>
`
}

/** What "New template" offers: `examples/<name>.json`, with the partials that the template uses. */
async function writeExamples(folder: string): Promise<void> {
  const examples = join(studio, '../examples')
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(examples)) {
    const example = await readExampleFile(join(examples, name))
    if (example !== undefined) await writeFile(join(folder, `${name}.json`), JSON.stringify(example))
  }
}

/** Used by tests: the scripts and styles that must be loaded before a source file can run. */
export function loadedWith(metafile: Metafile, source: string): string[] {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source)
  if (found === undefined) throw new Error(`${source} is not an entry point`)
  const loaded = new Set<string>()
  const add = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    const { imports = [], cssBundle } = metafile.outputs[file] ?? {}
    if (cssBundle !== undefined) add(cssBundle)
    for (const { kind, path, external } of imports) {
      if (kind === 'import-statement' && !external && dirname(path) !== '') add(path)
    }
  }
  add(found[0])
  return [...loaded]
}

/** Ends the process of esbuild, which otherwise ends with this one. */
export const endCompiler = (): Promise<void> => stop()
