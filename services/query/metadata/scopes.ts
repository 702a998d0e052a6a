import { type Actor, accessLevel, hasScope } from '../../../shared/domain/access/actor.ts';
import { booleanScopes, currencyScope } from '../../../shared/domain/access/check-role.ts';
import { isCustomizable } from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';

type Scope = Readonly<Record<string, unknown>>;

/** Names of the scopes without records that an actor has. */
export function scopesBesideRecords(actor: Actor): readonly string[] {
  const granted = [...booleanScopes].filter((name) => hasScope(actor, name));
  const hasRates = accessLevel(actor, currencyScope, 'read') !== 'no';
  return hasRates ? [...granted, currencyScope] : granted;
}

/** What clients know of a scope without records. */
export function scopeBesideRecords(name: string): Scope {
  const beside = { entity: false, object: false, tab: false, stream: false, module: 'Crm' };
  if (name !== currencyScope) return { ...beside, acl: 'boolean', isCustom: false };
  return {
    ...beside,
    acl: true,
    aclActionList: ['read', 'edit'],
    aclLevelList: ['yes', 'no'],
    isCustom: false,
  };
}

/** What clients know of an entity type beside its fields and links. */
export function scopeOf({ name, definition }: EntityModel): Scope {
  const { isObject, isCustom, checksDuplicates, hasStream, template } = definition;
  return {
    entity: true,
    object: isObject,
    acl: name === 'Webhook' ? 'boolean' : name !== 'Role',
    aclActionList: isObject ? aclActions(definition) : undefined,
    aclLevelList: isObject ? ['all', 'team', 'own', 'no'] : undefined,
    stream: hasStream === true,
    tab: isObject,
    type: template,
    module: isCustom === true ? 'Custom' : 'Crm',
    isCustom: isCustom === true,
    customizable: isCustomizable(definition),
    lockable: false,
    duplicateCheck: checksDuplicates === true,
    statusField: definition.fields['status'] ? 'status' : definition.fields['stage'] && 'stage',
  };
}

function aclActions({ hasStream }: EntityModel['definition']): readonly string[] {
  return ['create', 'read', 'edit', 'delete', ...(hasStream === true ? ['stream'] : [])];
}
