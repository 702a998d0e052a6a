import { customPrefixOf } from '../../../shared/domain/directory/custom-prefix.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { capitalized } from '../../../shared/domain/field/attribute.ts';
import { reservedEntities } from './define-entities.ts';

/**
 * Returns the name for a new entity type, with a prefix if the installation requires one
 * (docs/reference/definitions.md#prefixes).
 */
export function customEntityName(requested: string, directory: Directory): string {
  const customPrefix = customPrefixOf(directory);
  const shipped = directory.entity(requested)?.definition;
  const isShipped = shipped !== undefined && shipped.isCustom !== true;
  const isTaken = isShipped || reservedEntities.has(requested);
  const isPrefixed = customPrefix === 'always' || (customPrefix === 'taken' && isTaken);
  return isPrefixed && requested !== '' ? `C${requested}` : requested;
}

/** Returns the name for a new field of an entity type, with a prefix if the installation requires one. */
export function customFieldName(requested: string, scope: string, directory: Directory): string {
  const customPrefix = customPrefixOf(directory);
  const isOfCustom = directory.entity(scope)?.definition.isCustom === true;
  const isPrefixed = customPrefix === 'always' && !isOfCustom;
  return isPrefixed && requested !== '' ? `c${capitalized(requested)}` : requested;
}
