import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { formatDateTime } from '../value/date-time.ts';

/** Records the time at which an attribute gets the value named in the definition (`convertedAt` of a lead). */
export function withStamps(
  model: EntityModel,
  current: AttributeValues,
  { after, now }: { readonly after: AttributeValues; readonly now: number },
): AttributeValues {
  const stamps: Record<string, AttributeValue> = {};
  for (const [field, { attribute, value, isCleared = false }] of stampedFields(model)) {
    const next = after[attribute];
    if (next === undefined || next === current[attribute]) continue;
    if (next === value) stamps[field] = formatDateTime(now);
    else if (isCleared && current[field] !== undefined) stamps[field] = null;
  }
  return { ...after, ...stamps };
}

const stampedFields = perModel(({ fields }) =>
  [...fields].flatMap(([field, { stampedWhen }]) =>
    stampedWhen === undefined ? [] : [[field, stampedWhen] as const],
  ),
);
