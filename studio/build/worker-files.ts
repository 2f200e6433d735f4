import { basename, join } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** `import url from './pdf-worker.ts?worker'` is the URL of a script of its own, which `startWorker` of `src/parts/` starts. */
export const workerFiles: Plugin = {
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
