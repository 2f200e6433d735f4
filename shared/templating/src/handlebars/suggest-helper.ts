import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import { builtinHelpers } from './builtin-helpers.ts'
import { helpers } from './helpers/catalogue.ts'

type Call = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression

const helperNames = Object.keys({ ...builtinHelpers, ...helpers })

/** Replacements for names of other engines and collections of helpers, in lower case. */
const elsewhere: Record<string, string> = {
  ...named('{{else if …}}', 'elseif', 'elif', 'elsif'),
  ...named('{{#each items as |item|}}', 'for', 'loop'),
  ...named(
    '(eq a b)',
    'equals',
    'equal',
    'isequal',
    'ifequals',
    'ifequal',
    'ifeq',
    'is',
    'compare',
    'ifcond',
    'ifcompare',
    'when',
  ),
  ...named('(ne a b)', 'notequals', 'notequal', 'ifnotequals', 'isnt', 'unlesseq'),
  ...named('add, subtract, multiply or divide', 'math', 'calc'),
  ...named('add', 'plus'),
  ...named('subtract', 'sub', 'minus'),
  ...named('multiply', 'mul', 'times', 'product'),
  ...named('divide', 'div'),
  ...named('modulo', 'mod'),
  ...named('count', 'len', 'length', 'size'),
  ...named('formatNumber value decimals=2', 'tofixed', 'fixed', 'number', 'numberformat'),
  ...named('formatDate', 'moment', 'dateformat', 'datetime', 'strftime'),
  ...named('formatDate date "yyyy"', 'year'),
  ...named('truncate', 'substring', 'substr', 'ellipsis', 'limit'),
  ...named('qrcode', 'qr'),
  ...named('barcode', 'ean', 'ean13', 'code128', 'datamatrix'),
  ...named('default value fallback', 'ifnull', 'coalesce', 'fallback'),
  ...named('toc', 'contents', 'tableofcontents'),
  ...named('now', 'currentdate', 'today', 'date'),
  ...named('<img src="asset:logo.svg">', 'asset', 'asseturl', 'img', 'image', 'logo'),
  ...named('items.[0]', 'first', 'head', 'itemat', 'nth'),
  ...named('{{#if @last}} in {{#each}}', 'last'),
  ...named('add @index 1', 'inc', 'increment', 'addone', 'plusone'),
  ...named('subtract n 1', 'dec', 'decrement'),
}

/** Operators that are names for Handlebars. */
const operators: Record<string, string> = {
  '-': '(subtract a b)',
  '?': '{{#if a}}b{{else}}c{{/if}}',
  '??': '(default a b)',
}

function named(meant: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, meant]))
}

/** Why there is no such helper, and what was probably meant. `own`: those of the template's script. */
export function unknownHelper(name: string, { params, path }: Call, own: readonly string[] = []): string {
  const [first] = params
  const dotted = isPath(first) && first.loc.start.column === path.loc.end.column && /^\.+/.exec(first.original)
  if (dotted) return `unexpected ${dotted[0]} after ${name}`
  if (name === '..' && isPath(first)) return `unexpected ${first.original} after ..: write ../${first.original}`
  const operator = isPath(first) && Object.hasOwn(operators, first.original) && operators[first.original]
  if (operator) return `unexpected ${first.original}: there are no operators, write ${operator}`
  const meant = suggestionFor(name, own)
  if (meant !== undefined) return `there is no helper "${name}"; did you mean ${meant}?`
  const isField = params.length === 1 && isPath(first) && first.parts.length > 0 && !first.data && first.depth === 0
  const hint = isField ? `; the field of an object is written ${name}.${first.original}` : ''
  return `there is no helper "${name}"${hint}`
}

function suggestionFor(name: string, own: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replace(/[_-]/g, '')
  if (Object.hasOwn(elsewhere, plain)) return elsewhere[plain]
  const all = [...own, ...helperNames]
  return all.find((known) => known.toLowerCase() === plain) ?? closestName(name, all)
}

/** A hint for arguments that a helper does not take; empty if there is none. */
export function argumentHint(name: string, { params }: Call): string {
  const words = params.map((param) => (isPath(param) ? param.original : undefined))
  const [first, word, last] = words
  if (name === 'each' && word === 'as' && last !== undefined) return `: write {{#each ${first} as |${last}|}}`
  if (name === 'each' && (word === 'in' || word === 'of')) return `: write {{#each ${last} as |${first}|}}`
  if ((name === 'if' || name === 'unless') && word !== undefined && Object.hasOwn(helpers, word)) {
    return `: write {{#${name} (${word} ${first} ${last ?? 'b'})}}`
  }
  if ((name === 'if' || name === 'unless') && (word === 'is' || word === 'equals')) {
    return `: write {{#${name} (eq ${first} ${last ?? 'b'})}}`
  }
  return ''
}

const isPath = (node: hbs.AST.Node | undefined): node is hbs.AST.PathExpression => node?.type === 'PathExpression'
