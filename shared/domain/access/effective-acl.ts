import { accessOf } from '../entity/definition/entity-definition.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { fieldTypeOf } from '../field/field-types.ts';
import { allRights, levelOf } from './access-table.ts';
import { type Actor, accessLevel, closedFields, hasScope } from './actor.ts';
import { booleanScopes, currencyScope } from './check-role.ts';

/** The permissions of an actor, as returned in `acl` of `GET App/user` (docs/reference/authentication.md). */
interface EffectiveAcl {
  readonly table: Readonly<Record<string, boolean | Levels>>;
  readonly fieldTable: Readonly<
    Record<string, Readonly<Record<string, { read: string; edit: string }>>>
  >;
  readonly fieldTableQuickAccess: Readonly<Record<string, never>>;
  readonly [permission: `${string}Permission`]: string;
}

type Levels = Readonly<Record<string, string>>;

/** The result contains only scopes to which the actor has access; for an administrator, it contains all scopes. */
export function effectiveAcl(
  actor: Actor,
  directory: { readonly entities: () => readonly EntityModel[] },
): EffectiveAcl {
  const models = directory.entities().filter(({ definition }) => definition.isInternal !== true);
  const permissions = Object.entries(actor.permissions).map(
    ([name, level]) => [`${name}Permission`, level] as const,
  );
  const table = new Map<string, boolean | Levels>([
    ...booleanTable(actor),
    ...currencyTable(actor),
    ...levelTable(actor, models),
  ]);
  return {
    table: Object.fromEntries(table),
    fieldTable: Object.fromEntries(
      models.flatMap((model) => {
        const fields = table.has(model.name) ? fieldTable(actor, model) : {};
        return Object.keys(fields).length === 0 ? [] : [[model.name, fields]];
      }),
    ),
    fieldTableQuickAccess: {},
    ...Object.fromEntries(permissions),
  };
}

function booleanTable(actor: Actor): readonly (readonly [string, boolean | Levels])[] {
  return [...booleanScopes].filter((scope) => hasScope(actor, scope)).map((scope) => [scope, true]);
}

function currencyTable(actor: Actor): readonly (readonly [string, Levels])[] {
  const levels = (['read', 'edit'] as const).map(
    (right) => [right, accessLevel(actor, currencyScope, right) === 'no' ? 'no' : 'yes'] as const,
  );
  if (levels.every(([, level]) => level === 'no')) return [];
  return [[currencyScope, Object.fromEntries(levels)]];
}

/** The highest level of each right. `create` is only yes or no. */
const everything: Levels = {
  create: 'yes',
  read: 'all',
  edit: 'all',
  delete: 'all',
  stream: 'all',
};

function levelTable(actor: Actor, models: readonly EntityModel[]) {
  return models.flatMap(({ name, definition }): readonly (readonly [string, Levels])[] => {
    const rights = allRights.filter((right) => definition.hasStream === true || right !== 'stream');
    if (accessOf(definition) === 'switch') return [];
    if (actor.type === 'admin') return [[name, everything]];
    const levels = Object.fromEntries(
      rights.map((right) => [right, levelOf(actor.access, name, right)]),
    );
    const isClosed = accessOf(definition) === 'administrators';
    const isReached =
      !isClosed && rights.some((right) => right !== 'create' && levels[right] !== 'no');
    return isReached ? [[name, levels]] : [];
  });
}

function fieldTable(actor: Actor, model: EntityModel) {
  const { read, edit } = closedFields(actor, model);
  // Roles cannot grant access to secret fields, so not even their names are listed.
  const fields = [...model.fields].filter(
    ([name, field]) => fieldTypeOf(field).isSecret !== true && (read.has(name) || edit.has(name)),
  );
  return Object.fromEntries(
    fields.map(([name]) => [
      name,
      { read: read.has(name) ? 'no' : 'yes', edit: edit.has(name) ? 'no' : 'yes' },
    ]),
  );
}
