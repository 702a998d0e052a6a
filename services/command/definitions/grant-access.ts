import { requireLevels } from '../../../shared/domain/access/check-role.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { badField } from '../../../shared/domain/field/definition/read-field-settings.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { type Decision, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import {
  type AttributeValues,
  isObject,
  toObject,
} from '../../../shared/domain/value/attribute-values.ts';

/** The levels that a role gets for one scope, in the format of the role's `data`. Instances exchange them as JSON. */
export interface Grant {
  readonly scope: string;
  readonly levels: AttributeValues;
}

/**
 * Returns the grants for a new entity type by role (docs/reference/definitions.md#who-may-use-it). Rejects invalid grants
 * before anything is written.
 */
export function grantsIn(
  access: unknown,
  scope: string,
  directory: Directory,
): ReadonlyMap<string, Grant> {
  if (access === undefined || access === null) return new Map();
  return new Map(
    Object.entries(objectIn(access, 'access')).map(([roleId, value]) => {
      const name = `access.${printable(roleId)}`;
      if (directory.record('Role', roleId)?.deleted !== false) {
        throw badField(`'${name}' is not the id of a role.`);
      }
      const levels = objectIn(value, name);
      requireLevels(scope, levels);
      return [roleId, { scope, levels }];
    }),
  );
}

function objectIn(value: unknown, name: string): AttributeValues {
  if (isObject(value)) return value as AttributeValues;
  throw badField(`'${name}' must be an object.`);
}

/** Decides from the role's latest state in the log, so that concurrent changes to other scopes are kept. */
export function decideGrant(
  state: RecordState | undefined,
  { id, body: { scope, levels } }: { readonly id: string; readonly body: Grant },
): Decision | undefined {
  const role = live(state, id);
  return decideUpdate(role, { data: { ...toObject(role.values['data']), [scope]: levels } });
}

/** Returns the levels for a scope, by role, from all roles that mention the scope. */
export function accessTo(scope: string, directory: Directory): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    directory.records('Role').flatMap(({ id, values }) => {
      const data = toObject(values['data']);
      return Object.hasOwn(data, scope) && data[scope] !== null ? [[id, data[scope]]] : [];
    }),
  );
}
