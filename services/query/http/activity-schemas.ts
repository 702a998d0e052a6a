import type { Part } from '../../../shared/http/describe/part.ts';
import { id, nullableText, text } from '../../../shared/http/describe/schemas.ts';

/** One of the entity types that are activities: the document puts in those that it describes. */
export const activityType: Part = { ...text, enum: ['{activity}'] };

/** The properties of an activity in lists, beside its entity type. */
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
