import { type HelperCall, type HelperFamily, hashText, integerOf, isAbsent, numberOf, shown, wrong } from './helper.ts'
import { cached, localeOf } from './intl.ts'

const numberFormat = cached((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

export const numberHelpers: HelperFamily = {
  formatNumber: {
    signature: 'formatNumber value decimals= locale=',
    does: 'Formats a number for the locale, rounded to the decimals, by default at most three.',
    examples: [
      { template: '{{formatNumber 1234.5}}', gives: '1,234.5' },
      { template: '{{formatNumber 1234.5 decimals=2 locale="de-DE"}}', gives: '1.234,50' },
    ],
    args: [1, 1],
    hash: ['decimals', 'locale'],
    run: (call) => format(call, decimalsOf(call)),
  },
  formatCurrency: {
    signature: 'formatCurrency value [currency] currency= decimals= locale=',
    does: 'Formats an amount of money. The currency is an ISO 4217 code, by default EUR.',
    examples: [
      { template: '{{formatCurrency 1234.5}}', gives: '€1,234.50' },
      { template: '{{formatCurrency total "USD"}}', data: { total: 9.9 }, gives: '$9.90' },
      { template: '{{formatCurrency 1234.5 currency="EUR" locale="de-DE"}}', gives: '1.234,50\u00a0€' },
    ],
    args: [1, 2],
    hash: ['currency', 'decimals', 'locale'],
    run: (call) => format(call, { ...decimalsOf(call), style: 'currency', currency: currencyOf(call) }),
  },
  formatPercent: {
    signature: 'formatPercent value decimals= locale=',
    does: 'Formats a fraction as a percentage.',
    examples: [
      { template: '{{formatPercent 0.19}}', gives: '19%' },
      { template: '{{formatPercent 0.075 decimals=1 locale="fr-FR"}}', gives: '7,5\u00a0%' },
    ],
    args: [1, 1],
    hash: ['decimals', 'locale'],
    run: (call) => format(call, { ...decimalsOf(call), style: 'percent' }),
  },
}

function format(call: HelperCall, options: Intl.NumberFormatOptions): string | undefined {
  const [value] = call.args
  return isAbsent(value) ? undefined : numberFormat(localeOf(call), options).format(numberOf(call, value))
}

function decimalsOf(call: HelperCall): Intl.NumberFormatOptions {
  if (isAbsent(call.hash.decimals)) return {}
  const decimals = integerOf(call, call.hash.decimals, 'decimals', 0, 20)
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}

function currencyOf(call: HelperCall): string {
  const [, positional] = call.args
  const currency = isAbsent(positional) ? (hashText(call, 'currency') ?? 'EUR') : positional
  if (typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency)) return currency
  return wrong(call, `${shown(currency)} is not a currency code such as "EUR"`)
}
