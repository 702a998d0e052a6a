import { fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel } from './entity-model.ts';
import { perModel } from './per-model.ts';

/** Fields and attributes that are derived from others and therefore reveal information about them. */
export interface Sources {
  /** Per field: the fields from which it is derived, directly or indirectly. */
  readonly ofField: ReadonlyMap<string, ReadonlySet<string>>;
  /** Like `ofField`, but for single attributes of a field. */
  readonly ofAttribute: ReadonlyMap<string, ReadonlySet<string>>;
}

export const sourcesOf = perModel((model): Sources => {
  const direct = new Map([...model.fields.keys()].map((field) => [field, directOf(model, field)]));
  const withSources = (fields: readonly string[]): ReadonlySet<string> => {
    const found = new Set(fields);
    // The loop also visits entries that are added while it runs.
    for (const field of found) for (const source of direct.get(field) ?? []) found.add(source);
    return found;
  };
  return {
    ofField: new Map([...direct].map(([field, sources]) => [field, withSources(sources)])),
    ofAttribute: new Map(mirrorsIn(model).map(([name, field]) => [name, withSources([field])])),
  };
});

function directOf({ fields, attribute }: EntityModel, name: string): readonly string[] {
  const field = fields.get(name);
  if (field === undefined) return [];
  const type = fieldTypeOf(field);
  const named = [
    ...(type.composedOf?.(name) ?? []),
    ...(type.sources?.(field) ?? []),
    field.valueBy?.attribute,
  ];
  return named.flatMap((one) => (one === undefined ? [] : [attribute.get(one)?.field ?? one]));
}

/** The columns of a primary link mirror attributes of the record; see `withPrimaryColumns`. */
function mirrorsIn({ fields, attribute }: EntityModel): readonly (readonly [string, string])[] {
  return [...fields.values()].flatMap(({ primaryOf = '', primaryColumns = {} }) =>
    Object.values(primaryColumns).map(
      (mirrored) => [`${primaryOf}Columns`, attribute.get(mirrored)?.field ?? mirrored] as const,
    ),
  );
}
