import Handlebars from 'handlebars'
import { explainSyntax } from './explain-syntax.ts'
import { offsetOf, positionOf, TemplateProblem } from './template-problem.ts'

/** The error facts of Handlebars' generated parser (jison). */
interface Facts {
  text: string
  token: string | null
  loc?: { last_line: number; last_column: number }
  expected?: string[]
}

class UnexpectedToken extends Error {
  readonly facts: Facts

  constructor(facts: Facts) {
    super('unexpected token')
    this.facts = facts
  }
}

interface Parser {
  parseError(message: string, facts: Facts): never
  yy: { preparePartialBlock: PreparePartialBlock }
}

// The parser's own error is a multi-line text. Overriding parseError is the only way to the facts.
const parser = (Handlebars as unknown as { Parser: Parser }).Parser
parser.parseError = (_, facts) => {
  throw new UnexpectedToken(facts)
}

interface OpenPartialBlock {
  path: hbs.AST.Expression
}
interface CloseBlock {
  path?: hbs.AST.PathExpression
}
type PreparePartialBlock = (
  this: unknown,
  open: OpenPartialBlock,
  program: unknown,
  close: CloseBlock,
  loc: unknown,
) => hbs.AST.PartialBlockStatement

/** The parser's own comparison lets `{{#> (concat "a" b)}}` be closed by `{{/undefined}}` only. */
function closedByHelper(prepare: PreparePartialBlock): PreparePartialBlock {
  return function (open, program, close, loc) {
    const { path } = open
    if (path.type !== 'SubExpression') return prepare.call(this, open, program, close, loc)
    const { path: head } = path as hbs.AST.SubExpression
    const helper = 'original' in head ? String(head.original) : ''
    if (close.path?.original !== helper) {
      const problem = `{{#> (${helper} …)}} is closed by {{/${helper}}}, not {{/${close.path?.original}}}`
      throw new TemplateProblem('TEMPLATE_SYNTAX_ERROR', problem, path.loc.start)
    }
    return { ...prepare.call(this, { ...open, path: close.path }, program, close, loc), name: path as never }
  }
}

// The functions of the parser are there after its first use.
Handlebars.parse('')
parser.yy.preparePartialBlock = closedByHelper(parser.yy.preparePartialBlock)

/**
 * `name` is in the location of each node, where helpers find it. Throws a TemplateProblem with the code
 * TEMPLATE_SYNTAX_ERROR.
 */
export function parseTemplate(source: string, name?: string): hbs.AST.Program {
  try {
    return Handlebars.parse(source, name === undefined ? {} : { srcName: name })
  } catch (err) {
    if (err instanceof UnexpectedToken) {
      const { text, token, loc, expected = [] } = err.facts
      const end = loc && offsetOf(source, { line: loc.last_line, column: loc.last_column })
      const { problem, offset } = explainSyntax(source, { text, token, expected, offset: end ?? 0 })
      throw new TemplateProblem('TEMPLATE_SYNTAX_ERROR', problem, positionOf(source, offset))
    }
    if (err instanceof Handlebars.Exception && typeof err.lineNumber === 'number') {
      const problem = err.message
        .replace(/ - \d+:\d+$/, '')
        .replace(/^(.+) doesn't match (.+)$/, '{{#$1}} is closed by {{/$2}}')
      throw new TemplateProblem('TEMPLATE_SYNTAX_ERROR', problem, { line: err.lineNumber, column: Number(err.column) })
    }
    throw err
  }
}
