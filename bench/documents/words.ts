import { pick } from './random.ts'

const words = [
  ...['account', 'analysis', 'answer', 'balance', 'building', 'capacity', 'carrier', 'change', 'customer', 'delivery'],
  ...['demand', 'document', 'estimate', 'figure', 'growth', 'interest', 'invoice', 'journey', 'ledger', 'machine'],
  ...['margin', 'market', 'measure', 'method', 'number', 'office', 'order', 'paper', 'payment', 'period'],
  ...['picture', 'printer', 'product', 'quarter', 'reason', 'record', 'region', 'report', 'result', 'sample'],
  ...['season', 'service', 'shipment', 'statement', 'storage', 'supply', 'target', 'terminal', 'value', 'weight'],
] as [string, ...string[]]

export function phrase(random: () => number, count: number): string {
  return Array.from({ length: count }, () => pick(random, words)).join(' ')
}

export function sentence(random: () => number): string {
  const text = phrase(random, 6 + Math.floor(random() * 12))
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

export function paragraph(random: () => number, sentences: number): string {
  return Array.from({ length: sentences }, () => sentence(random)).join(' ')
}
