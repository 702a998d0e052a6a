import type { Entity } from '../../api/metadata.ts';
import type { ReadRecord } from '../../api/records.ts';

/** Properties of the tabs of users, teams and roles. */
export interface TabsProps {
  readonly entity: Entity;
  readonly found: ReadRecord;
}
