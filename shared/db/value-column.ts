import type { Attribute } from '../domain/entity/attributes.ts';
import type { EntityModel } from '../domain/entity/entity-model.ts';
import { currencyRatesId, currencyRatesType } from '../domain/field/currency-rates.ts';
import { convertedSuffix } from '../domain/field/settle-currency.ts';
import { liveSchema, quotedColumn, quotedTable } from './read-model-names.ts';

/**
 * SQL for the value of an attribute with a column, in a row under an alias. What an amount is worth in the default
 * currency follows from the rates as they are now; the column has what it was worth when it was written.
 */
export function valueColumn(model: EntityModel, attribute: Attribute, alias: string): string {
  const definition = model.fields.get(attribute.field);
  const { type, amount, percent } = definition ?? {};
  if (type === 'currencyConverted' && amount !== undefined) {
    const worth = worthNow(amount, alias);
    const share = percent === undefined ? '100' : columnOf(percent, alias);
    return `(round((${worth} * ${share})::numeric) / 100)::float8`;
  }
  const isMoney = type === 'currency' || type === 'rangeCurrency';
  if (!isMoney || !attribute.name.endsWith(convertedSuffix)) return columnOf(attribute.name, alias);
  return worthNow(attribute.name.slice(0, -convertedSuffix.length), alias);
}

/** The default currency has no rate there, and its amounts stay as they are. */
function worthNow(amount: string, alias: string): string {
  const column = columnOf(amount, alias);
  const rates = quotedTable(liveSchema, currencyRatesType);
  const code = columnOf(`${amount}Currency`, alias);
  const rate = `(select (cr.rates ->> ${code})::float8 from ${rates} cr where cr.id = '${currencyRatesId}')`;
  return `coalesce(round((${column} * ${rate})::numeric, 2)::float8, ${column})`;
}

function columnOf(name: string, alias: string): string {
  return `${alias}.${quotedColumn({ name })}`;
}
