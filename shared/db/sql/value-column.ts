import type { Attribute } from '../../domain/field/attribute.ts';
import { currencyRatesId, currencyRatesType } from '../../domain/input/currency-rates.ts';
import { liveTable, quotedColumn } from '../tables/read-model-names.ts';

/**
 * SQL for the value of an attribute with a column, in a row under an alias. An amount in the default currency is
 * computed from the present rates; the column has the amount by the rates at the time of the write.
 */
export function valueColumn({ name, worth }: Attribute, alias: string): string {
  if (worth === undefined) return columnOf(name, alias);
  const now = worthNow(worth.amount, alias);
  if (worth.percent === undefined) return now;
  const share = worth.percent === 100 ? '100' : columnOf(worth.percent, alias);
  return `(round((${now} * ${share})::numeric) / 100)::float8`;
}

/** The default currency has no rate, so its amounts stay as they are. */
function worthNow(amount: string, alias: string): string {
  const column = columnOf(amount, alias);
  const rates = liveTable(currencyRatesType);
  const code = columnOf(`${amount}Currency`, alias);
  const rate = `(select (cr.rates ->> ${code})::float8 from ${rates} cr where cr.id = '${currencyRatesId}')`;
  return `coalesce(round((${column} * ${rate})::numeric, 2)::float8, ${column})`;
}

function columnOf(name: string, alias: string): string {
  return `${alias}.${quotedColumn({ name })}`;
}
