import { createDirectory } from '../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { deriveValues } from '../../shared/domain/input/derive-values.ts';
import { readInput } from '../../shared/domain/input/read-input.ts';
import type { AttributeValues } from '../../shared/domain/value/attribute-values.ts';
import { contactBodies } from './contact-bodies.ts';

export function contactModel(): EntityModel {
  const model = createDirectory(stockDefinitions).entity('Contact');
  if (model === undefined) throw new Error('Contact is not a stock entity type');
  return model;
}

/** The values that the API derives from `contactBodies`, including defaults and names. */
export function contactValues(count: number): readonly AttributeValues[] {
  const model = contactModel();
  return contactBodies(count).map((body) => {
    const { values } = readInput(model, body, 'create');
    return deriveValues(model, null, values).values;
  });
}
