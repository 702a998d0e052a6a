import type { EntityModel } from '../entity/entity-model.ts';
import { accessActions, levelOf } from './access-table.ts';
import { type Actor, closedFields } from './actor.ts';
import { booleanScopes } from './check-role.ts';
import { permissionNames } from './permissions.ts';

/** What an actor may do, in the words of `GET App/user` (api-facts 2.4, 9.2). */
export interface EffectiveAcl {
  readonly table: Readonly<Record<string, boolean | Levels>>;
  readonly fieldTable: Readonly<
    Record<string, Readonly<Record<string, { read: string; edit: string }>>>
  >;
  readonly fieldTableQuickAccess: Readonly<Record<string, never>>;
  readonly [permission: `${string}Permission`]: string;
}

type Levels = Readonly<Record<string, string>>;

/** Only scopes that the actor reaches are in it; an administrator reaches all of them. */
export function effectiveAcl(actor: Actor, models: readonly EntityModel[]): EffectiveAcl {
  const permissions = permissionNames.map(
    (name) => [`${name}Permission`, actor.permissions[name]] as const,
  );
  return {
    table: Object.fromEntries([...booleanTable(actor), ...levelTable(actor, models)]),
    fieldTable: Object.fromEntries(
      models.flatMap((model) => {
        const fields = fieldTable(actor, model);
        return Object.keys(fields).length === 0 ? [] : [[model.name, fields]];
      }),
    ),
    fieldTableQuickAccess: {},
    ...Object.fromEntries(permissions),
  };
}

function booleanTable(actor: Actor): readonly (readonly [string, boolean | Levels])[] {
  return [...booleanScopes]
    .filter((scope) => actor.type === 'admin' || actor.access.get(scope) === true)
    .map((scope) => [scope, true]);
}

/** Highest of each action; who creates does so or does not. */
const everything: Levels = {
  create: 'yes',
  read: 'all',
  edit: 'all',
  delete: 'all',
  stream: 'all',
};

function levelTable(
  actor: Actor,
  models: readonly EntityModel[],
): readonly (readonly [string, Levels])[] {
  return models.flatMap(({ name }): readonly (readonly [string, Levels])[] => {
    if (name === 'Webhook') return [];
    if (actor.type === 'admin') return [[name, everything]];
    const levels = Object.fromEntries(
      accessActions.map((action) => [action, levelOf(actor.access, name, action)]),
    );
    const isReached = accessActions.some(
      (action) => action !== 'create' && levels[action] !== 'no',
    );
    return isReached ? [[name, levels]] : [];
  });
}

function fieldTable(actor: Actor, model: EntityModel) {
  const { read, edit } = closedFields(actor, model);
  const fields = [...model.fields.keys()].filter((field) => read.has(field) || edit.has(field));
  return Object.fromEntries(
    fields.map((field) => [
      field,
      { read: read.has(field) ? 'no' : 'yes', edit: edit.has(field) ? 'no' : 'yes' },
    ]),
  );
}
