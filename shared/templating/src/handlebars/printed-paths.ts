import Handlebars from 'handlebars'
import { helpers } from './helpers/catalogue.ts'

type Call = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression

/** Handlebars' own helpers whose arguments may be missing: conditions, and a lookup by a name that may not be there. */
const asking = new Set(['if', 'unless', 'lookup'])

/**
 * The paths whose values a template prints, directly or through a helper: a missing value leaves a gap in the document.
 * Not the paths of conditions (`{{#if x}}`, `{{#x}}`, `{{default x "-"}}`, and `{{#each}}` and `{{#with}}` with an {{else}}),
 * nor the arguments of partials, which count where the partial prints them. `{{this}}` is never missing.
 */
export function printedPaths(program: hbs.AST.Program, own: readonly string[] = []): ReadonlySet<hbs.AST.Node> {
  const visitor = new Visitor(own)
  visitor.accept(program)
  return visitor.printed
}

class Visitor extends Handlebars.Visitor {
  readonly printed = new Set<hbs.AST.Node>()
  readonly #own: readonly string[]

  /** `own`: the names of the helpers of the template's script. */
  constructor(own: readonly string[]) {
    super()
    this.#own = own
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    if (this.#isCall(mustache)) this.#arguments(mustache)
    else this.#value(mustache.path)
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    if (!block.inverse) this.#arguments(block)
    this.accept(block.program)
    if (block.inverse) this.accept(block.inverse)
  }

  // The arguments of partials, and what is in them.
  override SubExpression(): void {}
  override PathExpression(): void {}

  #arguments(call: Call): void {
    const name = 'original' in call.path ? String(call.path.original) : ''
    if (asking.has(name) || (Object.hasOwn(helpers, name) && helpers[name]?.asks)) return
    for (const argument of [...call.params, ...(call.hash?.pairs ?? []).map(({ value }) => value)]) {
      if (argument.type === 'SubExpression') this.#arguments(argument as hbs.AST.SubExpression)
      else this.#value(argument)
    }
  }

  /** Whether it calls a helper. A value has a path only; `now` and `pageBreak` have no arguments either, and print no path. */
  #isCall({ path, params, hash }: hbs.AST.MustacheStatement): boolean {
    if (params.length > 0 || hash) return true
    const name = 'original' in path ? String(path.original) : ''
    return Object.hasOwn(helpers, name) || this.#own.includes(name)
  }

  #value(node: hbs.AST.Node): void {
    if (node.type === 'PathExpression' && (node as hbs.AST.PathExpression).parts.length > 0) this.printed.add(node)
  }
}
