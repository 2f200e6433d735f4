import { type HelperCall, type HelperFamily, isAbsent, isTruthy, numberOf, shown, wrong } from './helper.ts'

const many = 100

export const comparisonHelpers: HelperFamily = {
  eq: {
    signature: 'eq a b',
    does: 'Whether both are the same string, number or boolean. "1" is not 1.',
    examples: [{ template: '{{#if (eq status "paid")}}PAID{{/if}}', data: { status: 'paid' }, gives: 'PAID' }],
    args: [2, 2],
    asks: true,
    run: ({ args: [a, b] }) => same(a, b),
  },
  ne: {
    signature: 'ne a b',
    does: 'The opposite of eq.',
    examples: [{ template: '{{#if (ne status "paid")}}DUE{{/if}}', data: { status: 'open' }, gives: 'DUE' }],
    args: [2, 2],
    asks: true,
    run: ({ args: [a, b] }) => !same(a, b),
  },
  lt: ordering('lt', 'Whether a is less than b', '{{lt 1 2}}', (order) => order < 0),
  lte: ordering('lte', 'Whether a is less than or equal to b', '{{lte 2 2}}', (order) => order <= 0),
  gt: ordering('gt', 'Whether a is greater than b', '{{gt 10 "9"}}', (order) => order > 0),
  gte: ordering(
    'gte',
    'Whether a is greater than or equal to b',
    '{{gte "2026-02-01" "2026-01-31"}}',
    (order) => order >= 0,
  ),
  and: {
    signature: 'and a b …',
    does: 'The first value that is false in {{#if}}, or the last one.',
    examples: [{ template: '{{#if (and a b)}}both{{else}}no{{/if}}', data: { a: 1, b: [] }, gives: 'no' }],
    args: [1, many],
    asks: true,
    run: ({ args }) => args.find((value) => !isTruthy(value)) ?? falsyOrLast(args),
  },
  or: {
    signature: 'or a b …',
    does: 'The first value that is true in {{#if}}, or the last one.',
    examples: [{ template: '{{or nickname name}}', data: { nickname: '', name: 'Ada' }, gives: 'Ada' }],
    args: [1, many],
    asks: true,
    run: ({ args }) => args.find(isTruthy) ?? args.at(-1),
  },
  not: {
    signature: 'not a',
    does: 'Whether the value is false in {{#if}}.',
    examples: [{ template: '{{#if (not items)}}nothing{{/if}}', data: { items: [] }, gives: 'nothing' }],
    args: [1, 1],
    asks: true,
    run: ({ args: [value] }) => !isTruthy(value),
  },
  in: {
    signature: 'in value list | in value a b …',
    does: 'Whether the value is in the list, or among the values after it.',
    examples: [
      { template: '{{in "b" tags}}', data: { tags: ['a', 'b'] }, gives: 'true' },
      { template: '{{in status "open" "late"}}', data: { status: 'paid' }, gives: 'false' },
    ],
    args: [2, many],
    asks: true,
    run: ({ args: [value, ...others] }) => {
      const list = others.length === 1 && Array.isArray(others[0]) ? others[0] : others
      return list.some((other: unknown) => same(value, other))
    },
  },
}

/** A missing value equals null. */
const same = (a: unknown, b: unknown): boolean =>
  a === b || ((a ?? undefined) === undefined && (b ?? undefined) === undefined)

/** `find` also returns undefined when it finds an undefined value. */
const falsyOrLast = (args: readonly unknown[]): unknown => (args.every(isTruthy) ? args.at(-1) : undefined)

function ordering(
  name: string,
  does: string,
  template: string,
  holds: (order: number) => boolean,
): HelperFamily[string] {
  return {
    signature: `${name} a b`,
    does: `${does}, as numbers if one of them is a number, else as strings. False if one is missing.`,
    examples: [{ template, gives: 'true' }],
    args: [2, 2],
    asks: true,
    run: (call) => {
      const [a, b] = call.args
      return !isAbsent(a) && !isAbsent(b) && holds(compare(call, a, b))
    },
  }
}

function compare(call: HelperCall, a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b)
  if (typeof a !== 'number' && typeof b !== 'number')
    return wrong(call, `${shown(a)} and ${shown(b)} cannot be compared`)
  return numberOf(call, a) - numberOf(call, b)
}
