import Handlebars from 'handlebars'
import { builtinHelpers, rawBlock } from './builtin-helpers.ts'
import { helpers } from './helpers/catalogue.ts'
import type { Helper } from './helpers/helper.ts'
import { argumentHint, unknownHelper } from './suggest-helper.ts'
import { type Position, TemplateProblem } from './template-problem.ts'
import type { ComputedName } from './tracing-compiler.ts'

type Call = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression
type PartialNode = hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement

/** A call of a partial that the source does not define itself. */
export interface PartialCall extends Position {
  name: string
  /** `{{#> name}}…{{/name}}`: if there is no such partial, the block is printed. */
  hasBlock: boolean
}

/** The partials that a source calls and defines. Structured clones of it are sent between threads. */
export interface PartialCalls {
  calls: PartialCall[]
  /** The names of `{{#*inline "name"}}`, which the partials that it calls can call, too. */
  defined: string[]
}

/**
 * Refuses unknown helpers and decorators and wrong arguments, which would fail when the template runs, and computed names of
 * partials where there is no partial to choose. Reads `{{count}}` as a field: without arguments, the name of a helper that
 * needs some means the field of that name. `own`: the names of the helpers of the template's script. Throws a TemplateProblem with the code TEMPLATE_RENDER_ERROR.
 */
export function inspectTemplate(program: hbs.AST.Program, own: readonly string[] = []): PartialCalls {
  const inspector = new Inspector(own)
  inspector.accept(program)
  return inspector.partialCalls()
}

class Inspector extends Handlebars.Visitor {
  readonly #own: readonly string[]
  readonly #blockParams: string[][] = []
  readonly #inlinePartials = new Set<string>()
  readonly #partialCalls: PartialNode[] = []

  constructor(own: readonly string[]) {
    super()
    this.#own = own
  }

  /** Call it last: a partial may be called before its definition. */
  partialCalls(): PartialCalls {
    const defined = [...this.#inlinePartials]
    const calls: PartialCall[] = []
    const computed: PartialNode[] = []
    for (const call of this.#partialCalls) {
      if (call.name.type === 'SubExpression') {
        computed.push(call)
        continue
      }
      const name = nameOf(call.name)
      if (name === '@partial-block' || this.#inlinePartials.has(name)) continue
      calls.push({ name, hasBlock: call.type === 'PartialBlockStatement', ...call.loc.start })
    }
    const [first] = computed
    if (first && defined.length === 0 && calls.length === 0) {
      const problem =
        'the name is computed: it can only be one of a partial that the source also calls by its name or defines'
      this.#refuse(first, problem)
    }
    return { calls, defined }
  }

  override Program(program: hbs.AST.Program): void {
    this.#blockParams.push(program.blockParams ?? [])
    super.Program(program)
    this.#blockParams.pop()
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    this.#checkCall(mustache)
    super.MustacheStatement(mustache)
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    if (isRaw(block)) this.#checkRawBlock(block)
    this.#checkCall(block)
    super.BlockStatement(block)
  }

  override SubExpression(expression: hbs.AST.SubExpression): void {
    this.#checkCall(expression)
    super.SubExpression(expression)
  }

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    this.#checkPartialCall(partial)
    super.PartialStatement(partial)
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    this.#checkPartialCall(partial)
    super.PartialBlockStatement(partial)
  }

  override Decorator(decorator: hbs.AST.Decorator): void {
    this.#refuse(decorator, `unknown decorator "${nameOf(decorator.path)}"`)
  }

  override DecoratorBlock(decorator: hbs.AST.DecoratorBlock): void {
    const [name] = decorator.params
    if (nameOf(decorator.path) !== 'inline' || name === undefined) {
      this.#refuse(decorator, 'the only decorator block is {{#*inline "name"}}')
    }
    this.#inlinePartials.add(nameOf(name))
    super.DecoratorBlock(decorator)
  }

  /** Handlebars would print nothing for one of another name. */
  #checkRawBlock({ path, params, hash, loc }: hbs.AST.BlockStatement): void {
    const name = nameOf(path)
    if (name === 'raw' && params.length === 0 && !hash && isPath(path)) {
      path.parts = [rawBlock]
      path.original = rawBlock
    } else if (!known(name)) {
      this.#refuse({ type: '', loc }, `there is no raw block "${name}"; write {{{{raw}}}}…{{{{/raw}}}}`)
    }
  }

  #checkPartialCall(partial: PartialNode): void {
    this.#partialCalls.push(partial)
    if (partial.name.type === 'SubExpression' && partial.type === 'PartialStatement') {
      const { start, source } = partial.loc
      Object.assign(partial.name, {
        computedPartial: { ...start, partial: source ?? undefined },
      } satisfies Partial<ComputedName>)
    }
    if (partial.params.length > 1)
      this.#refuse(partial, `the partial "${nameOf(partial.name)}" takes at most one context`)
  }

  #checkCall(call: Call): void {
    const name = nameOf(call.path)
    if (name === rawBlock) return
    const given = call.params.length
    const hash = call.hash?.pairs ?? []
    const isValue = given === 0 && hash.length === 0 && call.type !== 'SubExpression'
    if (isValue && (!isSimple(call.path) || this.#blockParams.some((names) => names.includes(name)))) return

    const helper = this.#own.includes(name) ? ownHelper : known(name)
    if (isValue && (!helper || (Object.hasOwn(helpers, name) && helper.args[0] > 0))) {
      asValue(call.path)
      return
    }
    if (!helper || !isSimple(call.path)) this.#refuse(call, unknownHelper(name, call, this.#own))

    const [min, max] = helper.args
    if (given < min || given > max) {
      const expected = min === max ? `${min}` : `${min} to ${max}`
      this.#refuse(
        call,
        `${name} takes ${expected} argument${expected === '1' ? '' : 's'}, not ${given}${argumentHint(name, call)}`,
      )
    }
    const named = helper.hash
    const unknown = named === 'any' ? undefined : hash.find(({ key }) => !named?.includes(key))
    if (unknown && named !== 'any') {
      const allowed = named?.map((key) => `${key}=`).join(', ') ?? 'none'
      this.#refuse(call, `${name} has no argument ${unknown.key}=; its named arguments are: ${allowed}`)
    }
    if (helper.block && call.type !== 'BlockStatement') {
      this.#refuse(call, `${name} is a block helper: write {{#${name} …}}…{{/${name}}}`)
    }
    const literals = call.params.map((param) => (isString(param) ? param.value : undefined))
    const problem = literals.some((literal) => literal !== undefined) ? helper.check?.(literals) : undefined
    if (problem !== undefined) this.#refuse(call, `${name}: ${problem}`)
    if (!helper.block && call.type === 'BlockStatement') {
      this.#refuse(call, `${name} is not a block helper: write {{${name} …}} or {{#if (${name} …)}}`)
    }
  }

  #refuse({ loc }: hbs.AST.Node, problem: string): never {
    throw new TemplateProblem('TEMPLATE_RENDER_ERROR', problem, loc.start)
  }
}

/** The parser records no strip flags for a raw block. */
const isRaw = ({ openStrip }: hbs.AST.BlockStatement) => openStrip?.open === undefined

function known(name: string) {
  if (Object.hasOwn(builtinHelpers, name)) return builtinHelpers[name]
  return Object.hasOwn(helpers, name) ? helpers[name] : undefined
}

/** How many arguments a function of a script takes is not known. */
const ownHelper: Omit<Helper, 'run'> = {
  signature: '',
  does: '',
  examples: [],
  args: [0, Number.POSITIVE_INFINITY],
  hash: 'any',
}

/** A plain name, not `a.b`, `../a`, `./a`, `this` or `@a`. */
function isSimple(path: hbs.AST.Expression): boolean {
  if (!isPath(path)) return true
  return path.parts.length === 1 && path.depth === 0 && !path.data && !/^\.|this\b/.test(path.original)
}

/** Handlebars reads a path with `./` as a value even if there is a helper of that name. */
function asValue(path: hbs.AST.Expression): void {
  if (isPath(path)) path.original = `./${path.original}`
}

const isString = (node: hbs.AST.Expression): node is hbs.AST.StringLiteral => node.type === 'StringLiteral'

const isPath = (node: hbs.AST.Expression): node is hbs.AST.PathExpression => node.type === 'PathExpression'

function nameOf(node: hbs.AST.Expression): string {
  return 'original' in node ? String(node.original) : node.type
}
