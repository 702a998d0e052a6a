import { openedFor } from '../../../shared/domain/access/opened-for.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { exampleId } from '../../../shared/domain/field/types/link/linked-name.ts';
import { fieldPlanOf } from '../../../shared/domain/input/field-plan.ts';
import { isGiven } from '../../../shared/domain/input/find-missing-fields.ts';
import { reactionTypes } from '../../../shared/domain/stream/post-marks.ts';
import { mapParts, type Part } from '../../../shared/http/describe/part.ts';
import { nullableText, text } from '../../../shared/http/describe/schemas.ts';
import { attributeSchema } from './attribute-schema.ts';
import { exampleOf } from './example-record.ts';

/**
 * Returns the two schemas of an entity type: `Account` for responses and updates, and `Account_create` for creations,
 * with their required fields.
 */
export function entitySchemas(model: EntityModel, hasCreation: boolean): Part {
  const { name } = model;
  return {
    [name]: recordSchema(model),
    ...(hasCreation ? { [`${name}_create`]: creationSchema(model) } : {}),
  };
}

function recordSchema(model: EntityModel): Part {
  const { attributes, definition } = model;
  const shown = attributes.filter((attribute) => isShown(model, attribute));
  const version = { type: 'integer', minimum: 1, readOnly: true };
  return {
    type: 'object',
    description: recordDescription(model),
    // Requires only the id, because lists with `select` omit the other attributes.
    required: ['id'],
    properties: {
      id: { type: 'string', readOnly: true, examples: [exampleId] },
      deleted: { type: 'boolean', readOnly: true },
      ...schemasOf(model, shown),
      ...(definition.hasVersionNumber === true ? { versionNumber: version } : {}),
      ...definition.sentProperties,
      ...(definition.hasStream === true ? followingSchemas : {}),
      ...(definition.isPost === true ? postMarks : {}),
      ...definition.answeredProperties,
    },
  };
}

/** Included in single reads, in addition to `isFollowed`. */
const followingSchemas: Part = {
  isStarred: { type: 'boolean', readOnly: true },
  followersIds: { type: 'array', items: text, maxItems: 6, readOnly: true },
  followersNames: { type: 'object', additionalProperties: nullableText, readOnly: true },
};

/** Included in single reads of a post, and in streams. */
export const postMarks: Part = {
  isPinned: { type: 'boolean', readOnly: true },
  reactionCounts: {
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 1 },
    description: 'The number of users who reacted to the post, by type of reaction.',
    readOnly: true,
  },
  myReactions: { type: 'array', items: { enum: reactionTypes }, readOnly: true },
};

function recordDescription({ name, definition }: EntityModel): string {
  const kind = definition.isCustom === true ? 'a custom entity type' : 'an entity type';
  return `A record of ${name}, ${kind}. Read-only attributes are ignored in requests.`;
}

/** Omits secrets, unless some users may see them in clear text. */
function isShown(model: EntityModel, attribute: Attribute): boolean {
  if (!attribute.isSecret) return true;
  // Returned as an object under another name.
  if (model.definition.opensSecrets?.objects?.[attribute.name] !== undefined) return false;
  return openedFor({ type: 'admin' }, model).includes(attribute.name);
}

function creationSchema(model: EntityModel): Part {
  const writable = model.attributes.filter(({ writable }) => writable);
  const example = exampleOf(model);
  return {
    type: 'object',
    ...requiredOf(model),
    properties: {
      ...mapParts(schemasOf(model, writable), withoutReadOnly),
      ...model.definition.sentProperties,
    },
    examples: example && [example],
  };
}

/** For attributes that clients can set only on creation. */
function withoutReadOnly({ readOnly: _, ...schema }: Part): Part {
  return schema;
}

function schemasOf(model: EntityModel, attributes: readonly Attribute[]): Record<string, Part> {
  return Object.fromEntries(
    attributes.map((attribute) => [attribute.name, attributeSchema(model, attribute)]),
  );
}

/** Returns the required fields, by the same rules as validation. */
function requiredOf(model: EntityModel): Part {
  const choices = requiredChoices(model);
  const single = choices.filter((choice) => choice.length === 1).flat();
  const others = choices.filter((choice) => choice.length > 1);
  return {
    ...(single.length === 0 ? {} : { required: single }),
    ...(others.length === 0 ? {} : { allOf: others.map(oneOfThese) }),
  };
}

function oneOfThese(names: readonly string[]): Part {
  return { anyOf: names.map((name) => ({ required: [name] })) };
}

/** Returns lists of attributes. A creation needs at least one attribute of each list. */
export function requiredChoices(model: EntityModel): readonly (readonly string[])[] {
  const { defaults, requirements } = fieldPlanOf(model);
  return requirements
    .filter(({ attributes }) => !attributes.some((name) => isGiven(defaults[name])))
    .map(({ field, attributes }) => [
      ...attributes.filter((name) => model.attribute.get(name)?.writable === true),
      ...durationsUpTo(model, field),
    ])
    .filter((choice) => choice.length > 0 && !isFilledIn(model, choice));
}

/** Returns the durations that, together with a start, determine this end. */
function durationsUpTo({ fields }: EntityModel, end: string): readonly string[] {
  return [...fields].flatMap(([name, field]) => (field.end === end ? [name] : []));
}

function isFilledIn({ definition }: EntityModel, choice: readonly string[]): boolean {
  return definition.filledIn?.some((name) => choice.includes(name)) === true;
}
