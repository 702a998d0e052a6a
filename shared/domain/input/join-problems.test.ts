import { describe, expect, it } from 'vitest';
import { buildEntityModel, type EntityModel } from '../entity/model/entity-model.ts';
import { accountDefinition } from '../entity/stock/account.ts';
import { leadDefinition } from '../entity/stock/lead.ts';
import { deriveValues } from './derive-values.ts';
import { joinProblems } from './join-problems.ts';
import { readInput } from './read-input.ts';

const account = buildEntityModel(accountDefinition);
const lead = buildEntityModel(leadDefinition);

describe('joinProblems', () => {
  it('orders missing and rejected fields in field order', () => {
    expect(problemsOf(account, { website: 'not a url' })).toEqual([
      'name required',
      'website valid',
    ]);
  });

  it('does not report a field as missing if its value was rejected', () => {
    expect(problemsOf(account, { name: '<b>' })).toEqual(['name pattern']);
    expect(problemsOf(lead, { emailAddress: 'nobody' })).toEqual(['emailAddress emailAddress']);
    expect(problemsOf(lead, { lastName: 'x'.repeat(101) })).toEqual(['lastName maxLength']);
    expect(problemsOf(lead, { website: 'not a url' })).toEqual(['name required', 'website valid']);
  });

  it('returns no problems for a valid body', () => {
    expect(problemsOf(account, { name: 'Acme' })).toEqual([]);
  });
});

function problemsOf(
  model: EntityModel,
  body: Readonly<Record<string, unknown>>,
): readonly string[] {
  const input = readInput(model, body, 'create');
  const completed = deriveValues(model, null, input.values);
  return joinProblems(model, input.problems, completed.problems).map(
    ({ field, type }) => `${field} ${type}`,
  );
}
