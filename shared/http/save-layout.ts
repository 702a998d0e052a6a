import type { FastifyRequest } from 'fastify';
import type { LayoutName } from '../domain/entity/layout.ts';
import type { AttributeValue } from '../domain/value/attribute-values.ts';

interface LayoutChange {
  readonly entityType: string;
  readonly names: readonly LayoutName[];
  /** Null restores the generated layouts. */
  readonly layout: AttributeValue;
}

interface SavedLayout {
  readonly consistencyToken: string;
  readonly isReplay: boolean;
}

/** Stores layouts of an entity type. The caller must have checked the user's permissions. */
export type SaveLayout = (request: FastifyRequest, change: LayoutChange) => Promise<SavedLayout>;
