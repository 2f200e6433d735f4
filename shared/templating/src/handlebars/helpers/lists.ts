import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { itemReader } from './expression.ts'
import {
  type HelperCall,
  type HelperFamily,
  isAbsent,
  isTruthy,
  listOf,
  numberOf,
  shown,
  textOf,
  valueAt,
  wrong,
} from './helper.ts'
import { collatorOf } from './intl.ts'

const people = [
  { name: 'Bo', age: 40 },
  { name: 'Ada', age: 36 },
]

export const listHelpers: HelperFamily = {
  where: {
    signature: 'where items "path" [operator] [value]',
    does:
      'The items whose value at the path is the given one, or true as in {{#if}} if none is given. Operators are = != < <= > >= and ' +
      'contains.',
    examples: [
      {
        template: '{{#each (where items "kind" "fee")}}{{name}} {{/each}}',
        data: {
          items: [
            { kind: 'fee', name: 'Setup' },
            { kind: 'item', name: 'Paper' },
          ],
        },
        gives: 'Setup ',
      },
      { template: '{{join (where people "age" ">" 38) ", " "name"}}', data: { people }, gives: 'Bo' },
      {
        template: '{{count (where orders "paid")}}',
        data: { orders: [{ paid: true }, { paid: false }, {}] },
        gives: '1',
      },
    ],
    args: [2, 4],
    run: (call) => {
      const [items, path, ...given] = call.args
      const at = textOf(call, path)
      const holds = comparisonOf(call, given)
      return listOf(call, items).filter((item) => holds(valueAt(item, at)))
    },
  },
  sortBy: {
    signature: 'sortBy items "path" locale=',
    does:
      'The items in the order of the values at the path: numbers by size, texts by the alphabet of the locale. "-path" is descending, ' +
      '"kind, -price" sorts by several. Items without a value come last.',
    examples: [
      { template: '{{join (sortBy people "name") ", " "name"}}', data: { people }, gives: 'Ada, Bo' },
      { template: '{{join (sortBy people "-age") ", " "name"}}', data: { people }, gives: 'Bo, Ada' },
    ],
    args: [1, 2],
    hash: ['locale'],
    run: (call) => {
      const [items, path] = call.args
      const compareTexts = collatorOf(call)
      const keys = textOf(call, path)
        .split(',')
        .map((key) => key.trim())
        .map((key) => ({ path: key.replace(/^-/, ''), sign: key.startsWith('-') ? -1 : 1 }))
      const compare = (a: unknown, b: unknown): number => {
        for (const { path, sign } of keys) {
          const [one, other] = [at(a, path), at(b, path)]
          // Missing values are last in either direction.
          if (isAbsent(one) || isAbsent(other)) {
            if (isAbsent(one) !== isAbsent(other)) return isAbsent(one) ? 1 : -1
            continue
          }
          const order = compareValues(call, one, other, compareTexts)
          if (order !== 0) return sign * order
        }
        return 0
      }
      return listOf(call, items).toSorted(compare)
    },
  },
  groupBy: {
    signature: 'groupBy items "path"',
    does: 'A list of {key, items} for the different values at the path, in order of appearance. The same as group.',
    examples: [
      {
        template: '{{#each (groupBy items "k")}}{{key}}: {{sum items "n"}}; {{/each}}',
        data: {
          items: [
            { k: 'a', n: 1 },
            { k: 'b', n: 2 },
            { k: 'a', n: 3 },
          ],
        },
        gives: 'a: 4; b: 2; ',
      },
    ],
    args: [2, 2],
    run: (call) => grouped(call),
  },
  map: {
    signature: 'map items "path or expression"',
    does: 'A list of the values at the path, or of the results of the expression, of each item.',
    examples: [
      {
        template: '{{join (map items "quantity * price") " + "}}',
        data: {
          items: [
            { quantity: 3, price: 0.1 },
            { quantity: 1, price: 2 },
          ],
        },
        gives: '0.3 + 2',
      },
    ],
    args: [2, 2],
    run: (call) => {
      const [items, path] = call.args
      const read = itemReader(call, textOf(call, path))
      return listOf(call, items).map((item) => read(item, call))
    },
  },
  pluck: {
    signature: 'pluck items "path"',
    does: 'A list of the values at the path, without those that are missing.',
    examples: [{ template: '{{join (pluck people "name")}}', data: { people: [...people, {}] }, gives: 'Bo, Ada' }],
    args: [2, 2],
    run: (call) => {
      const [items, path] = call.args
      const at = textOf(call, path)
      return listOf(call, items).flatMap((item) => {
        const value = valueAt(item, at)
        return isAbsent(value) ? [] : [value]
      })
    },
  },
  unique: {
    signature: 'unique items ["path"]',
    does: 'The different values of a list, or the first item of each different value at the path, in order of appearance.',
    examples: [
      { template: '{{join (unique tags)}}', data: { tags: ['b', 'a', 'b'] }, gives: 'b, a' },
      {
        template: '{{join (unique items "kind") ", " "name"}}',
        data: {
          items: [
            { kind: 'x', name: 'A' },
            { kind: 'x', name: 'B' },
            { kind: 'y', name: 'C' },
          ],
        },
        gives: 'A, C',
      },
    ],
    args: [1, 2],
    run: (call) => {
      const [items, path] = call.args
      const read = itemReader(call, textOf(call, path))
      const seen = new Set<unknown>()
      const objects = new Set<string>()
      return listOf(call, items).filter((item) => {
        const value = read(item, call)
        if (typeof value !== 'object' || value === null) return seen.size < seen.add(value).size
        return objects.size < objects.add(stringifyExact(value)).size
      })
    },
  },
}

const at = (item: unknown, path: string) => (path === '' ? item : valueAt(item, path))

export function grouped(call: HelperCall): { key: string; items: unknown[] }[] {
  const path = textOf(call, call.args[1])
  const groups = Map.groupBy(listOf(call, call.args[0]), (item) => textOf(call, valueAt(item, path)))
  return Array.from(groups, ([key, items]) => ({ key, items }))
}

/** Numbers come before texts. A text that is a number is compared with a number as one. */
function compareValues(
  call: HelperCall,
  a: unknown,
  b: unknown,
  compareTexts: (a: string, b: string) => number,
): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number' || typeof b === 'number') {
    const [one, other] = [a, b].map((value) => Number(typeof value === 'object' ? textOf(call, value) : value))
    if (one !== undefined && other !== undefined && !Number.isNaN(one) && !Number.isNaN(other)) return one - other
    return typeof a === 'number' ? -1 : 1
  }
  return compareTexts(textOf(call, a), textOf(call, b))
}

const operators: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function comparisonOf(call: HelperCall, given: readonly unknown[]): (value: unknown) => boolean {
  const [first, second] = given
  if (given.length === 0) return isTruthy
  const [operator, wanted] = given.length === 1 ? ['=', first] : [first, second]
  if (operator === '=' || operator === '==') return (value) => value === wanted
  if (operator === '!=') return (value) => value !== wanted
  if (operator === 'contains') return (value) => holds(value, wanted)
  const accepts = typeof operator === 'string' && Object.hasOwn(operators, operator) ? operators[operator] : undefined
  if (!accepts) return wrong(call, `${shown(operator)} is not an operator; those are = != < <= > >= contains`)
  return (value) => {
    if (isAbsent(value) || isAbsent(wanted)) return false
    if (typeof value === 'string' && typeof wanted === 'string')
      return accepts(value < wanted ? -1 : Number(value > wanted))
    return accepts(numberOf(call, value) - numberOf(call, wanted))
  }
}

function holds(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return value.includes(wanted)
  return typeof value === 'string' && typeof wanted !== 'object' && value.includes(String(wanted))
}
