import { removedFolds, requireRoomInTable } from '../../../shared/db/table-limits.ts';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { mergeDefinitions } from '../../../shared/domain/directory/merge-definitions.ts';
import {
  buildEntityModel,
  type EntityModel,
} from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { Change } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { type AttributeValues, toObject } from '../../../shared/domain/value/attribute-values.ts';

/**
 * Rejects a change to a definition if the table has no room for it. Columns are never dropped, so when lists stop
 * searching a text, its search column is added to the removed fields, where later changes count it.
 */
export function fitIntoTable(
  entityType: string,
  state: RecordState | undefined,
  decision: Decision | undefined,
): Decision | undefined {
  if (decision === undefined || decision.type === 'Deleted') return decision;
  const before = modelOf(entityType, state?.values);
  const folds =
    before === undefined ? {} : removedFolds(before, modelAfter(entityType, state, decision));
  const fitting = withRemoved(state, decision, folds);
  const after = modelAfter(entityType, state, fitting);
  if (after !== undefined) requireRoomInTable(before, after);
  return fitting;
}

function modelAfter(
  entityType: string,
  state: RecordState | undefined,
  { changes, values, type }: Decision,
): EntityModel | undefined {
  const changed = changes.map(({ attribute, after }) => [attribute, after] as const);
  return modelOf(entityType, {
    ...(type === 'Created' ? values : state?.values),
    ...Object.fromEntries(changed),
  });
}

/** Returns undefined if the entity type does not exist. Columns never depend on other entity types. */
function modelOf(entityType: string, values: AttributeValues | undefined): EntityModel | undefined {
  const stock = stockDefinitions.filter(({ name }) => name === entityType);
  const place = { entityType: entityDefinitionType, id: entityType, version: 1, deleted: false };
  const logged = values === undefined ? [] : [{ ...place, values }];
  const [definition] = mergeDefinitions(stock, logged);
  return definition && buildEntityModel(definition);
}

function withRemoved(
  state: RecordState | undefined,
  decision: Decision,
  folds: ReturnType<typeof removedFolds>,
): Decision {
  if (Object.keys(folds).length === 0) return decision;
  const isNew = decision.type === 'Created';
  const before = (isNew ? undefined : state?.values['removedFields']) ?? null;
  const known = decision.changes.find(({ attribute }) => attribute === 'removedFields');
  const after = { ...toObject(known?.after ?? before), ...folds };
  const change: Change = { attribute: 'removedFields', before, after };
  return {
    ...decision,
    changes: [...decision.changes.filter((one) => one !== known), change],
    ...(decision.values && { values: { ...decision.values, removedFields: after } }),
  };
}
