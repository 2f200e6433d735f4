import { defined } from '@platen/foundation/json/defined.ts'
import type Handlebars from 'handlebars'
import { signatureOf } from './builtin-helpers.ts'
import type { PrintingSite } from './missing-values.ts'

// The helpers that compiled templates call. No template can: their names are no identifiers.
/** Name of the helper that is called for a missing value. */
export const missingHelper = 'missing value'
/** Name of the helper that is called for a printed object. It returns the text to print. */
export const objectHelper = 'printed object'
/** Name of the helper that is called with the computed name of a partial. It returns the name. */
export const partialNameHelper = 'name of a partial'

/** Where the name of a partial is computed. */
export interface ComputedPartial {
  line: number
  column: number
  partial: string | undefined
}

/** A computed name of a partial that must exist. `inspectTemplate` marks it. */
export interface ComputedName extends hbs.AST.SubExpression {
  computedPartial?: ComputedPartial
}

// The parts of Handlebars 4's compilers that are extended here. Its types have none of them.
interface AstCompiler {
  options: { printed?: ReadonlySet<hbs.AST.Node> }
  PathExpression(path: hbs.AST.PathExpression): void
  SubExpression(expression: hbs.AST.SubExpression): void
  MustacheStatement(mustache: hbs.AST.MustacheStatement): void
  blockParamIndex(name: string): [depth: number, index: number] | undefined
  opcode(name: string, ...args: unknown[]): void
}
interface CodeCompiler {
  contextName(depth: number): string
  quotedString(text: string): unknown
  replaceStack(replace: (current: unknown) => unknown[]): void
  isInline(): boolean
}
interface Compilers {
  Compiler: new () => AstCompiler
  JavaScriptCompiler: new () => CodeCompiler
}

/**
 * Makes an environment report the values that its templates print and that are undefined, with the compile option
 * `printed`: after the lookup of such a path, the compiled code has one comparison more. Likewise the objects that are printed,
 * and computed names of partials.
 */
export function traceMissingValues(environment: typeof Handlebars): void {
  const compilers = environment as unknown as Compilers
  class TracingCompiler extends compilers.Compiler {
    override PathExpression(path: hbs.AST.PathExpression): void {
      super.PathExpression(path)
      if (!this.options.printed?.has(path)) return
      const { parts } = path
      const [first = '', ...rest] = parts
      const isScoped = /^\.|this\b/.test(path.original)
      const blockParam = path.depth === 0 && !isScoped && !path.data ? this.blockParamIndex(first) : undefined
      const helper = isScoped && parts.length === 1 ? signatureOf(first) : undefined
      const site = { ...siteOf(path, path.original), ...defined({ helper }) }
      if (blockParam) this.opcode('noteMissing', `blockParams[${blockParam.join('][')}]`, { ...site, parts: rest })
      else if (!path.data) this.opcode('noteMissing', path.depth, { ...site, parts: path.parts })
      else if (first === 'root') this.opcode('noteMissing', 'data.root', { ...site, parts: rest })
      else this.opcode('noteMissing', 'undefined', { ...site, parts: [] })
    }

    override SubExpression(expression: hbs.AST.SubExpression): void {
      super.SubExpression(expression)
      if (isMustache(expression)) this.opcode('noteObject', siteOf(expression, writtenIn(expression)))
      const { computedPartial } = expression as ComputedName
      if (computedPartial) this.opcode('notePartialName', computedPartial)
    }
  }
  class TracingJavaScriptCompiler extends compilers.JavaScriptCompiler {
    noteMissing(base: string | number, site: PrintingSite): void {
      const from = typeof base === 'number' ? this.contextName(base) : base
      const note = ['helpers[', this.quotedString(missingHelper), '](', from, ', ', JSON.stringify(site), ')']
      this.replaceStack((current) => [' === undefined ? ', ...note, ' : ', current])
    }

    noteObject(site: PrintingSite): void {
      if (!this.isInline()) return
      this.replaceStack((current) => {
        const note = ['helpers[', this.quotedString(objectHelper), '](', current, ', ', JSON.stringify(site), ')']
        return [' !== null && typeof ', current, ' === "object" ? ', ...note, ' : ', current]
      })
    }

    notePartialName(site: ComputedPartial): void {
      const helper = ['helpers[', this.quotedString(partialNameHelper), ']']
      this.replaceStack((current) => [', ', ...helper, '(', current, ', partials, ', JSON.stringify(site), ')'])
    }
  }
  Object.assign(TracingCompiler.prototype, { compiler: TracingCompiler })
  Object.assign(TracingJavaScriptCompiler.prototype, { compiler: TracingJavaScriptCompiler })
  Object.assign(environment, { Compiler: TracingCompiler, JavaScriptCompiler: TracingJavaScriptCompiler })
}

const isMustache = ({ type }: hbs.AST.Node) => type === 'MustacheStatement'

const siteOf = ({ loc: { start, source } }: hbs.AST.Node, path: string) => ({
  path,
  line: start.line,
  column: start.column,
  partial: source ?? undefined,
  parts: [],
})

/** A value as it is written, or `the result of <helper>`. */
function writtenIn({ path, params, hash }: hbs.AST.SubExpression): string {
  const name = 'original' in path ? String(path.original).replace(/^\.\/(?=.)/, '') : ''
  return params.length === 0 && !hash ? name : `the result of ${name}`
}
