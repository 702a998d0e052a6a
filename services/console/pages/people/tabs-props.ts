import type { Entity } from '../../api/metadata.ts';
import type { ReadRecord } from '../../api/records.ts';

/** What the pages of users, teams and roles get. */
export interface TabsProps {
  readonly entity: Entity;
  readonly found: ReadRecord;
}
