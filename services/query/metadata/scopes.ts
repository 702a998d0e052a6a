import { type Actor, accessLevel, hasScope } from '../../../shared/domain/access/actor.ts';
import {
  booleanScopes,
  currencyScope,
  reducedLevels,
} from '../../../shared/domain/access/check-role.ts';
import { isWatchable } from '../../../shared/domain/directory/parse-event-name.ts';
import {
  accessOf,
  isCustomizable,
} from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';

type Scope = Readonly<Record<string, unknown>>;

/** Returns the names of the scopes without records that an actor has. */
export function scopesWithoutRecords(actor: Actor): readonly string[] {
  const granted = [...booleanScopes].filter((name) => hasScope(actor, name));
  const hasRates = accessLevel(actor, currencyScope, 'read') !== 'no';
  return hasRates ? [...granted, currencyScope] : granted;
}

/** Returns the metadata of a scope without records. */
export function scopeWithoutRecords(name: string): Scope {
  const common = { entity: false, object: false, tab: false, stream: false, module: 'Crm' };
  const levels = reducedLevels(name);
  if (levels === undefined) return { ...common, acl: 'boolean', isCustom: false };
  return { ...common, acl: true, ...granted(levels), isCustom: false };
}

/** Returns the metadata of an entity type, except its fields and links. */
export function scopeOf({ name, definition }: EntityModel): Scope {
  const { isObject, isCustom, checksDuplicates, hasStream } = definition;
  const levels = isObject ? recordLevels(definition) : reducedLevels(name);
  return {
    entity: true,
    object: isObject,
    acl: accessOf(definition) === 'switch' ? 'boolean' : accessOf(definition) !== 'administrators',
    ...granted(levels),
    stream: hasStream === true,
    tab: isObject,
    type: definition.template ?? (isObject ? 'Base' : undefined),
    module: isCustom === true ? 'Custom' : 'Crm',
    isCustom: isCustom === true,
    customizable: isCustomizable(definition),
    watchable: isWatchable(definition),
    lockable: false,
    duplicateCheck: checksDuplicates === true,
    statusField: definition.fields['status'] ? 'status' : definition.fields['stage'] && 'stage',
  };
}

/** Returns the levels per right with which roles grant a scope, in the form that EspoCRM's clients expect. */
function granted(levels: ReturnType<typeof reducedLevels>): Scope {
  if (levels === undefined) return {};
  const { rights, levels: all, levelsOfRight } = levels;
  return { aclActionList: rights, aclLevelList: all, aclActionLevelListMap: levelsOfRight };
}

function recordLevels({ hasStream }: EntityModel['definition']) {
  const rights = ['create', 'read', 'edit', 'delete', ...(hasStream === true ? ['stream'] : [])];
  return { rights, levels: ['all', 'team', 'own', 'no'], levelsOfRight: {} };
}
