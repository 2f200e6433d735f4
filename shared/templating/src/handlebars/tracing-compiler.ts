import type Handlebars from 'handlebars'
import type { PrintingSite } from './missing-values.ts'

/** The helper that compiled templates call with a value that is missing. No template can: its name is no identifier. */
export const missingHelper = 'missing value'

// The parts of Handlebars 4's compilers that are extended here. Its types have none of them.
interface AstCompiler {
  options: { printed?: ReadonlySet<hbs.AST.Node> }
  PathExpression(path: hbs.AST.PathExpression): void
  blockParamIndex(name: string): [depth: number, index: number] | undefined
  opcode(name: string, ...args: unknown[]): void
}
interface CodeCompiler {
  contextName(depth: number): string
  quotedString(text: string): unknown
  replaceStack(replace: (current: unknown) => unknown[]): void
}
interface Compilers {
  Compiler: new () => AstCompiler
  JavaScriptCompiler: new () => CodeCompiler
}

/**
 * Makes an environment report the values that its templates print and that are undefined, with the compile option
 * `printed`: after the lookup of such a path, the compiled code has one comparison more.
 */
export function traceMissingValues(environment: typeof Handlebars): void {
  const compilers = environment as unknown as Compilers
  class TracingCompiler extends compilers.Compiler {
    override PathExpression(path: hbs.AST.PathExpression): void {
      super.PathExpression(path)
      if (!this.options.printed?.has(path)) return
      const [first = '', ...rest] = path.parts
      const isScoped = /^\.|this\b/.test(path.original)
      const blockParam = path.depth === 0 && !isScoped && !path.data ? this.blockParamIndex(first) : undefined
      const { start, source: partial } = path.loc
      const site = { path: path.original, line: start.line, column: start.column, partial: partial ?? undefined }
      if (blockParam) this.opcode('noteMissing', `blockParams[${blockParam.join('][')}]`, { ...site, parts: rest })
      else if (!path.data) this.opcode('noteMissing', path.depth, { ...site, parts: path.parts })
      else if (first === 'root') this.opcode('noteMissing', 'data.root', { ...site, parts: rest })
      else this.opcode('noteMissing', 'undefined', { ...site, parts: [] })
    }
  }
  class TracingJavaScriptCompiler extends compilers.JavaScriptCompiler {
    noteMissing(base: string | number, site: PrintingSite): void {
      const from = typeof base === 'number' ? this.contextName(base) : base
      const note = ['helpers[', this.quotedString(missingHelper), '](', from, ', ', JSON.stringify(site), ')']
      this.replaceStack((current) => [' === undefined ? ', ...note, ' : ', current])
    }
  }
  Object.assign(TracingCompiler.prototype, { compiler: TracingCompiler })
  Object.assign(TracingJavaScriptCompiler.prototype, { compiler: TracingJavaScriptCompiler })
  Object.assign(environment, { Compiler: TracingCompiler, JavaScriptCompiler: TracingJavaScriptCompiler })
}
