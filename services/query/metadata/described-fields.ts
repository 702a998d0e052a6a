import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { describeField } from '../../../shared/domain/field/definition/describe-field.ts';
import type { FieldDescription } from '../../../shared/domain/field/field-type.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { fieldsWithin, type Reach } from './reach.ts';

/**
 * Returns the fields of an entity type as clients see them, by name. A field is followed by its parts that clients treat
 * as separate fields (`billingAddressCity` of `billingAddress`). Fields without values in Annals come last.
 */
export function describedFields(
  model: EntityModel,
  reach: Reach,
): ReadonlyMap<string, FieldDescription> {
  const own = fieldsWithin(model, reach).flatMap(([name, field]) => {
    const parts = Object.entries(fieldTypeOf(field).describeParts?.(field) ?? {});
    return [
      [name, describeField(field)] as const,
      ...parts.map(([suffix, part]) => [name + suffix, { ...part, partOf: name }] as const),
    ];
  });
  const fields = new Map<string, FieldDescription>(own);
  for (const [name, field] of Object.entries(model.definition.knownFields ?? {})) {
    const leadsAway = typeof field['entity'] === 'string' && !reach.has(field['entity']);
    if (!fields.has(name) && !leadsAway) {
      fields.set(name, { ...field, notStorable: true, utility: true });
    }
  }
  return fields;
}
