import type { Part } from '../../../shared/http/describe/part.ts';
import { id, nullableText, text } from '../../../shared/http/describe/schemas.ts';

/** The name of an entity type of activities. `{activity}` expands to the types that the document describes. */
export const activityType: Part = { ...text, enum: ['{activity}'] };

/** The properties of an activity in lists, in addition to its entity type. */
export const activityProperties: Readonly<Record<string, Part>> = {
  id,
  name: nullableText,
  status: nullableText,
  dateStart: nullableText,
  dateStartDate: nullableText,
  dateEnd: nullableText,
  dateEndDate: nullableText,
  assignedUserId: nullableText,
  assignedUserName: nullableText,
  parentType: nullableText,
  parentId: nullableText,
  parentName: nullableText,
  createdAt: nullableText,
};
