import type Big from 'big.js'
import { decimalOf, itemReader, numberFrom, zero } from './expression.ts'
import {
  type Helper,
  type HelperCall,
  type HelperFamily,
  integerOf,
  isAbsent,
  listOf,
  numberOf,
  shown,
  textOf,
  wrong,
} from './helper.ts'

const many = 100

export const mathsHelpers: HelperFamily = {
  add: folding('add', 'Adds', '{{add 0.1 0.2}}', '0.3', (a, b) => a + b),
  subtract: folding(
    'subtract',
    'Subtracts the other values from the first',
    '{{subtract 10 3 2}}',
    '5',
    (a, b) => a - b,
  ),
  multiply: folding('multiply', 'Multiplies', '{{multiply 3 1.1}}', '3.3', (a, b) => a * b),
  divide: folding('divide', 'Divides the first value by the others', '{{divide 10 4}}', '2.5', (a, b, call) =>
    b === 0 ? wrong(call, `${a} cannot be divided by 0`) : a / b,
  ),
  modulo: folding(
    'modulo',
    'The remainder of a division, with the sign of the first value',
    '{{modulo 7 3}}',
    '1',
    (a, b, call) => (b === 0 ? wrong(call, `${a} cannot be divided by 0`) : a % b),
  ),
  round: {
    signature: 'round value [decimals]',
    does: 'Rounds to the decimals (0 to 15, by default 0), half away from zero.',
    examples: [
      { template: '{{round 2.5}}', gives: '3' },
      { template: '{{round 1.005 2}}', gives: '1.01' },
    ],
    args: [1, 2],
    run: (call) => {
      const [value, decimals] = call.args
      if (isAbsent(value)) return undefined
      return rounded(numberOf(call, value), isAbsent(decimals) ? 0 : integerOf(call, decimals, 'decimals', 0, 15))
    },
  },
  floor: single('floor', 'Rounds down to a whole number', '{{floor 2.7}}', '2', Math.floor),
  ceil: single('ceil', 'Rounds up to a whole number', '{{ceil 2.1}}', '3', Math.ceil),
  abs: single('abs', 'The absolute value', '{{abs -4}}', '4', Math.abs),
  min: choosing('min', 'smallest', '{{min 3 1 2}}', '1', (a, b) => Math.min(a, b)),
  max: choosing('max', 'largest', '{{max prices}}', '9', (a, b) => Math.max(a, b)),
  sum: {
    signature: 'sum items ["path or expression"]',
    does:
      'Adds up the numbers of a list, those at a path in each item, or the results of an expression of paths and numbers with + - * / ' +
      'and parentheses, at most 200 characters. It calculates with decimals, as on paper. A missing value counts as 0.',
    examples: [
      { template: '{{sum items "price"}}', data: { items: [{ price: 0.1 }, { price: 0.2 }] }, gives: '0.3' },
      {
        template: '{{sum items "n * price * (1 + vat / 100)"}}',
        data: {
          items: [
            { n: 3, price: 1.1, vat: 19 },
            { n: 1, price: 0.07, vat: 7 },
          ],
        },
        gives: '4.0019',
      },
      { template: '{{sum hours}}', data: { hours: [1, 2, 3] }, gives: '6' },
    ],
    args: [1, 2],
    run: (call) =>
      numberFrom(
        call,
        valuesOf(call).reduce((sum, value) => sum.plus(value), zero),
      ),
  },
  avg: {
    signature: 'avg items ["path or expression"]',
    does: 'The mean of the numbers, which are read as by sum. Missing values are left out.',
    examples: [
      {
        template: '{{round (avg items "price") 2}}',
        data: { items: [{ price: 1 }, { price: 2 }, {}, { price: 2 }] },
        gives: '1.67',
      },
    ],
    args: [1, 2],
    run: (call) => {
      const values = valuesOf(call)
      if (values.length === 0) return undefined
      return numberFrom(call, values.reduce((sum, value) => sum.plus(value), zero).div(values.length))
    },
  },
  count: {
    signature: 'count items',
    does: 'The number of items of a list or of fields of an object.',
    examples: [{ template: '{{count items}}', data: { items: ['a', 'b'] }, gives: '2' }],
    args: [1, 1],
    run: (call) => {
      const [items] = call.args
      if (isAbsent(items)) return 0
      return typeof items === 'object' ? Object.keys(items).length : wrong(call, `${shown(items)} is not a list`)
    },
  },
}

/** The numbers that an aggregate is of, without missing ones. */
function valuesOf(call: HelperCall): Big[] {
  const [items, path] = call.args
  const read = itemReader(call, textOf(call, path))
  return listOf(call, items).flatMap((item) => decimalOf(call, read(item, call)) ?? [])
}

/** Removes binary rounding errors: 0.1 + 0.2 gives 0.3. */
const clean = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(15)))

const numberOrZero = (call: HelperCall, value: unknown): number => (isAbsent(value) ? 0 : numberOf(call, value))

/** Rounds the decimal representation: in binary, 1.005 is less than 1.005. */
function rounded(value: number, decimals: number): number {
  const magnitude = shifted(Math.round(shifted(Math.abs(value), decimals)), -decimals)
  return magnitude === 0 ? 0 : Math.sign(value) * magnitude
}

/** Moves the decimal point to the right. */
function shifted(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

function folding(
  name: string,
  does: string,
  template: string,
  gives: string,
  step: (a: number, b: number, call: HelperCall) => number,
): Helper {
  return {
    signature: `${name} a b …`,
    does: `${does}. A missing value counts as 0.`,
    examples: [{ template, gives }],
    args: [2, many],
    run: (call) => {
      const [first = 0, ...others] = call.args.map((value) => numberOrZero(call, value))
      const result = others.reduce((a, b) => step(a, b, call), first)
      return Number.isFinite(result) ? clean(result) : wrong(call, 'the result is too large')
    },
  }
}

function single(name: string, does: string, template: string, gives: string, of: (value: number) => number): Helper {
  return {
    signature: `${name} value`,
    does: `${does}.`,
    examples: [{ template, gives }],
    args: [1, 1],
    // Adding 0 turns -0 into 0.
    run: (call) => (isAbsent(call.args[0]) ? undefined : of(numberOf(call, call.args[0])) + 0),
  }
}

function choosing(
  name: string,
  does: string,
  template: string,
  gives: string,
  choose: (a: number, b: number) => number,
): Helper {
  return {
    signature: `${name} a b … | ${name} items ["path or expression"]`,
    does: `The ${does} of the values, of the values of a list, or of those that are read as by sum. Missing values are ignored.`,
    examples: [
      { template, data: { prices: [3, 9, 5] }, gives },
      {
        template: `{{${name} items "quantity * price"}}`,
        data: {
          items: [
            { quantity: 2, price: 1.5 },
            { quantity: 2, price: 1.5 },
          ],
        },
        gives: '3',
      },
    ],
    args: [1, many],
    run: (call) => {
      const isOfList = Array.isArray(call.args[0]) && call.args.length <= 2
      const values: unknown[] = isOfList ? valuesOf(call).map((value) => numberFrom(call, value)) : [...call.args]
      const numbers = values.filter((value) => !isAbsent(value)).map((value) => numberOf(call, value))
      return numbers.length === 0 ? undefined : numbers.reduce(choose)
    },
  }
}
