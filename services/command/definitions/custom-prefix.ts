import { customPrefixOf } from '../../../shared/domain/directory/custom-prefix.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { capitalized } from '../../../shared/domain/field/attribute.ts';
import { reservedEntities } from './define-entities.ts';

interface Naming {
  readonly directory: Pick<Directory, 'entity' | 'record'>;
}

/** The name that a new entity type gets (docs/reference/definitions.md#prefixes). */
export function customEntityName(asked: string, { directory }: Naming): string {
  const customPrefix = customPrefixOf(directory);
  const shipped = directory.entity(asked)?.definition;
  const isShipped = shipped !== undefined && shipped.isCustom !== true;
  const isTaken = isShipped || reservedEntities.has(asked);
  const isPrefixed = customPrefix === 'always' || (customPrefix === 'taken' && isTaken);
  return isPrefixed && asked !== '' ? `C${asked}` : asked;
}

/** The name that a new field of an entity type gets. */
export function customFieldName(asked: string, scope: string, { directory }: Naming): string {
  const customPrefix = customPrefixOf(directory);
  const isOfCustom = directory.entity(scope)?.definition.isCustom === true;
  const isPrefixed = customPrefix === 'always' && !isOfCustom;
  return isPrefixed && asked !== '' ? `c${capitalized(asked)}` : asked;
}
