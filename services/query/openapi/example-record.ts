import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import { fieldPlanOf } from '../../../shared/domain/input/field-plan.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';

/** Optional fields to show in examples, if the entity type has them. */
const illustrativeFields: ReadonlySet<string> = new Set([
  'name',
  'firstName',
  'emailAddress',
  'phoneNumber',
  'website',
  'status',
  'stage',
  'type',
]);

/**
 * Returns a body that creates a record, made from the definitions; undefined if no valid value can be generated for a
 * required field.
 */
export function exampleOf(
  model: EntityModel,
): Readonly<Record<string, AttributeValue>> | undefined {
  const needed = new Set(fieldPlanOf(model).requirements.map(({ field }) => field));
  const body = Object.fromEntries(
    model.attributes
      .filter(
        ({ writable, field }) => writable && (needed.has(field) || illustrativeFields.has(field)),
      )
      .flatMap(({ name, example }) => {
        const value = byName[name] ?? example;
        return value === undefined ? [] : [[name, value]];
      }),
  );
  const { values, problems } = readInput(model, body, 'create');
  const isFit = problems.length + deriveValues(model, null, values).problems.length === 0;
  return isFit ? body : undefined;
}

const byName: Readonly<Record<string, AttributeValue>> = {
  firstName: 'Ann',
  lastName: 'Ray',
  userName: 'integration1',
  event: 'Account.update',
  url: 'https://example.org/hook',
  dateEnd: '2030-01-31 11:00:00',
};
