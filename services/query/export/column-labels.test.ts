import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { labelOfAttribute } from './column-labels.ts';

const { entity } = createDirectory(stockDefinitions);

it.each([
  ['Task', 'id', 'ID', 'ID'],
  ['Task', 'dateEnd', 'Due date', 'Fällig am'],
  ['Contact', 'accountName', 'Account', 'Firma'],
  ['Contact', 'accountId', 'Account (ID)', 'Firma (ID)'],
])('the label of %s.%s is %s, in German %s', (type, name, english, german) => {
  const model = entity(type);
  if (model === undefined) throw new Error(`${type} is missing`);
  expect(labelOfAttribute(model, name, 'en')).toBe(english);
  expect(labelOfAttribute(model, name, 'de')).toBe(german);
});
