import type { JsonObject } from '@platen/foundation/json/json.ts'
import { randomNumbers } from './random.ts'
import { phrase } from './words.ts'

const rowCount = 40

/** A typical document: one dense page with a table of 40 rows and a drawing. */
export const invoiceSource = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Invoice {{number}}</title><style>
@page { size: A4; margin: 10mm }
body { font: 9px/1.25 sans-serif; color: #222; margin: 0 }
header { display: flex; justify-content: space-between; align-items: center }
h1 { font-size: 18px }
table { width: 100%; border-collapse: collapse }
th { text-align: left; border-bottom: 1px solid #222; padding: 2px 4px }
td { border-bottom: 1px solid #ddd; padding: 2px 4px }
.amount { text-align: right; font-variant-numeric: tabular-nums }
tbody tr:nth-child(even) { background: #f5f7fa }
footer { margin-top: 4mm; color: #666 }
</style></head><body>
<header>
<svg width="120" height="40" viewBox="0 0 120 40"><defs><linearGradient id="g"><stop offset="0" stop-color="#155e75"/>
<stop offset="1" stop-color="#22d3ee"/></linearGradient></defs><rect width="40" height="40" rx="8" fill="url(#g)"/>
<path d="M10 30 L20 8 L30 30 Z" fill="#fff"/><text x="48" y="26" font-size="18" fill="#155e75">Mill</text></svg>
<h1>Invoice {{number}}</h1>
</header>
<p><b>{{customer.name}}</b><br>{{customer.street}}<br>{{customer.city}}</p>
<table><thead><tr><th>#</th><th>Item</th><th class="amount">Quantity</th><th class="amount">Price</th>
<th class="amount">Amount</th></tr></thead><tbody>
{{#each rows}}<tr><td>{{position}}</td><td>{{item}}</td><td class="amount">{{quantity}}</td>
<td class="amount">{{price}}</td><td class="amount">{{amount}}</td></tr>
{{/each}}</tbody></table>
<p class="amount"><b>Total {{total}} EUR</b></p>
<footer>Payable within 30 days. {{#if note}}{{note}}{{/if}}</footer>
</body></html>`

export function invoiceData(): JsonObject {
  const random = randomNumbers(2)
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const quantity = 1 + Math.floor(random() * 20)
    const cents = 100 + Math.floor(random() * 50_000)
    return { position: index + 1, item: phrase(random, 4), quantity, cents }
  })
  const euros = (cents: number) => (cents / 100).toFixed(2)
  return {
    number: '2026-00417',
    customer: { name: 'Lindqvist & Partners', street: 'Storgatan 12', city: '111 29 Stockholm' },
    rows: rows.map(({ position, item, quantity, cents }) => ({
      position,
      item,
      quantity,
      price: euros(cents),
      amount: euros(cents * quantity),
    })),
    total: euros(rows.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)),
    note: 'Thank you for your order.',
  }
}
