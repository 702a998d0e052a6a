import { expect, it } from 'vitest';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { opportunityDefinition } from '../../../shared/domain/entity/stock/opportunity.ts';
import { userDefinition } from '../../../shared/domain/entity/stock/user.ts';
import { requireSingleAction } from './plan-conversion.ts';

it('converts amounts only for entity types in the records log', () => {
  const isFor = requireSingleAction('convertCurrency');
  const salary = { salary: { type: 'currency' } } as const;
  const user = { ...userDefinition, fields: { ...userDefinition.fields, ...salary } };

  expect(isFor(buildEntityModel(opportunityDefinition))).toBe(true);
  expect(isFor(buildEntityModel(user))).toBe(false);
});
