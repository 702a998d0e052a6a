import type { Attribute } from '../../domain/field/attribute.ts';
import { currencyRatesId, currencyRatesType } from '../../domain/input/currency-rates.ts';
import { liveTable, quotedColumn } from '../tables/read-model-names.ts';

/** Keeps the product of two such factors and a rate below 1e308. */
const MAX_FACTOR = '1e140';

/**
 * Returns SQL for the value of an attribute with a column, in a row under an alias. An amount in the default currency
 * is computed from the current rates; the column contains the amount at the rates at the time of the write. The
 * statement cannot fail because of a column's value: products are exact numerics, which cannot underflow, and amounts
 * larger than decisions accept are not converted.
 */
export function valueColumn({ name, worth }: Attribute, alias: string): string {
  if (worth === undefined) return columnOf(name, alias);
  const now = worthNow(worth.amount, alias);
  if (worth.percent === undefined) return now;
  const share = worth.percent === 100 ? '100' : columnOf(worth.percent, alias);
  const weighted = `(round(${now}::numeric * ${share}::numeric) / 100)::float8`;
  return `(case when ${isFactor(columnOf(worth.amount, alias))} and ${isFactor(share)} then ${weighted} end)`;
}

/** The default currency has no rate, so its amounts are not converted. */
function worthNow(amount: string, alias: string): string {
  const column = columnOf(amount, alias);
  const rates = liveTable(currencyRatesType);
  const code = columnOf(`${amount}Currency`, alias);
  const rate = `(select (cr.rates ->> ${code})::numeric from ${rates} cr where cr.id = '${currencyRatesId}')`;
  const converted = `round(${column}::numeric * ${rate}, 2)::float8`;
  return `coalesce(case when ${isFactor(column)} then ${converted} end, ${column})`;
}

function isFactor(column: string): string {
  return `${column} between -${MAX_FACTOR} and ${MAX_FACTOR}`;
}

function columnOf(name: string, alias: string): string {
  return `${alias}.${quotedColumn({ name })}`;
}
