import type { EntityModel } from '../entity/model/entity-model.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { withLinkColumns } from './link-columns.ts';
import { withPrimaryColumns } from './primary-columns.ts';
import { withPrimaryLinks } from './primary-links.ts';
import { withStamps } from './stamps.ts';

export interface Writing {
  /** Current values of the record; empty for a new one. */
  readonly current: AttributeValues;
  /** The values to be written, with links resolved. */
  readonly after: AttributeValues;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Applies the definition's rules (primary links, link columns, stamps) to the values to be written. */
export function withFollowedRules(
  model: EntityModel,
  { current, after, now }: Writing,
): AttributeValues {
  const linked = withLinkColumns(model, current, withPrimaryLinks(model, current, after));
  const mirrored = withPrimaryColumns(model, current, linked);
  return withStamps(model, current, { after: mirrored, now });
}
