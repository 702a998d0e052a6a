import type { EntityModel, FindModel } from '../entity/model/entity-model.ts';
import { perActorAndModel } from '../entity/model/per-model.ts';
import type { Attribute } from '../field/attribute.ts';
import { emptyValue } from '../record/to-record-body.ts';
import type { AttributeValue } from '../value/attribute-values.ts';
import { type Actor, accessLevel, mayReadAttribute, mayReadField } from './actor.ts';

type Body = Record<string, AttributeValue>;

/** The attributes of a readable record that an actor cannot see; empty for administrators. */
interface Hidden {
  readonly closed: readonly string[];
  /** Values from the other side of links. They are shown only for links that the actor sets in this request. */
  readonly linked: readonly Attribute[];
}

/**
 * Removes, in place, the attributes of a newly written record that its writer may not read. `sent` is the request body:
 * names of records that the body links are shown, because linking a record requires read access to it.
 */
export function hideClosed(
  body: Body,
  {
    actor,
    model,
    sent,
  }: { readonly actor: Actor; readonly model: EntityModel; readonly sent: object },
  findModel: FindModel,
): Body {
  const { closed, linked } = hiddenOf(actor, model, findModel);
  for (const name of closed) delete body[name];
  for (const attribute of linked) {
    const { idAttribute } = attribute.through ?? attribute.parent ?? {};
    if (idAttribute !== undefined && Object.hasOwn(sent, idAttribute)) continue;
    if (Object.hasOwn(body, attribute.name)) body[attribute.name] = emptyValue(attribute);
  }
  return body;
}

/**
 * Removes the same attributes, and all names of linked records, from previous values, in place. An empty name would
 * reveal that nothing was linked.
 */
export function dropClosed(
  previous: Body,
  { actor, model }: { readonly actor: Actor; readonly model: EntityModel },
  findModel: FindModel,
): Body {
  const { closed, linked } = hiddenOf(actor, model, findModel);
  for (const name of [...closed, ...linked.map((attribute) => attribute.name)])
    delete previous[name];
  return previous;
}

/** True if the actor can see every attribute of records of this type. */
export function hidesNothing(actor: Actor, model: EntityModel, findModel: FindModel): boolean {
  const { closed, linked } = hiddenOf(actor, model, findModel);
  return closed.length + linked.length === 0;
}

const hiddenOf = perActorAndModel(findHidden);

function findHidden(actor: Actor, model: EntityModel, findModel: FindModel): Hidden {
  return {
    closed: model.attributes
      .filter((attribute) => !mayReadAttribute(actor, model, attribute))
      .map(({ name }) => name),
    linked: model.attributes.filter((attribute) => isBehindLink(actor, attribute, findModel)),
  };
}

/** True if the actor may not read every record on the other side, or may not read the field shown from there. */
function isBehindLink(actor: Actor, { through, parent }: Attribute, find: FindModel): boolean {
  const shown = through?.attribute ?? 'name';
  const types = through === undefined ? (parent?.entityTypes ?? []) : [through.entityType];
  return types.some((type) => isPartlyClosed(actor, find(type), shown));
}

function isPartlyClosed(actor: Actor, target: EntityModel | undefined, shown: string): boolean {
  if (target === undefined) return false;
  const { log, isFile } = target.definition;
  if (log === 'directory' || isFile === true) return false;
  const level = accessLevel(actor, target.name, 'read');
  const field = target.attribute.get(shown)?.field ?? 'name';
  return (level !== 'all' && level !== 'yes') || !mayReadField(actor, target, field);
}
