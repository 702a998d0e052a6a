import { type EntityModel, systemAttributes } from '../entity/model/entity-model.ts';
import type { FieldProblem } from '../errors.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { fieldPlanOf } from './field-plan.ts';
import { inFieldOrder } from './join-problems.ts';

export interface Input {
  readonly values: AttributeValues;
  /** In field order. A field with a problem has no value. */
  readonly problems: readonly FieldProblem[];
  /** Names in the body that are not attributes of the entity type. */
  readonly unknown: readonly string[];
}

/**
 * Reads the values of a body that a client may write and converts them to stored form. Attributes that Annals sets itself
 * are silently ignored, because clients send back what they have read.
 */
export function readInput(
  model: EntityModel,
  body: Readonly<Record<string, unknown>>,
  on: 'create' | 'update',
): Input {
  const { createReaders, updateReaders } = fieldPlanOf(model);
  const readers = on === 'create' ? createReaders : updateReaders;
  const values: Record<string, AttributeValue> = {};
  const problems: FieldProblem[] = [];
  const unknown: string[] = [];
  const report = (problem: FieldProblem): undefined => {
    problems.push(problem);
  };
  for (const name of Object.keys(body)) {
    const given = body[name];
    const value = given === undefined ? undefined : readers.get(name)?.(given, report);
    if (value !== undefined) values[name] = value;
    else if (!model.attribute.has(name) && !systemAttributes.has(name)) unknown.push(name);
  }
  return { values, problems: inFieldOrder(model, problems), unknown };
}
