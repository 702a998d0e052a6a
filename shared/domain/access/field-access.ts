import type { RecordState } from '../record/record-state.ts';
import { toObject } from './to-object.ts';

interface FieldRights {
  readonly read: boolean;
  readonly edit: boolean;
}

/** Keyed by scope and field. A field that no role mentions can be read and edited. */
export type FieldAccess = ReadonlyMap<string, ReadonlyMap<string, FieldRights>>;

/** Merges the `fieldData` of several roles: a field is open if any role that mentions it opens it. */
export function mergeFieldAccess(roles: readonly RecordState[]): FieldAccess {
  const scopes = new Map<string, Map<string, FieldRights>>();
  for (const role of roles) {
    for (const [scope, granted] of Object.entries(toObject(role.values['fieldData']))) {
      const fields = scopes.get(scope) ?? new Map<string, FieldRights>();
      scopes.set(scope, fields);
      for (const [field, rights] of Object.entries(toObject(granted))) {
        fields.set(field, mostPermissive(fields.get(field), toRights(rights)));
      }
    }
  }
  return scopes;
}

function toRights(value: unknown): FieldRights {
  const { read, edit } = toObject(value);
  return { read: read !== 'no', edit: edit !== 'no' };
}

function mostPermissive(left: FieldRights | undefined, right: FieldRights): FieldRights {
  return { read: left?.read === true || right.read, edit: left?.edit === true || right.edit };
}
