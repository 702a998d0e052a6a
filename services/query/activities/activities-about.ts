import type { ActivityStatuses } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { linkedTypesOf } from '../../../shared/domain/field/field-types.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { Binder } from '../../../shared/search/where/binder.ts';
import { holdsId } from '../../../shared/search/where/linked-elsewhere.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import type { RecordQuery } from '../rows/require-readable.ts';
import { type ActivityKind, isFieldOpen, statusIn } from './activity-kinds.ts';

/** The planned or past activities of a record. */
export interface ActivitiesAbout {
  readonly query: RecordQuery;
  readonly which: keyof ActivityStatuses;
}

/** Returns the activity entity types that records of a type can have. Throws a refusal if the type has no activities. */
export function modelsAbout(deps: SearchDeps, parent: EntityModel): readonly EntityModel[] {
  const models = deps.directory.entities().filter((model) => isAbout(parent, model));
  if (models.length > 0) return models;
  throw new Refusal('not_found', 'activities.none', `${parent.name} has no activities.`);
}

/** Returns whether records of `parent` can have activities of `model`. */
export function isAbout(parent: EntityModel, model: EntityModel): boolean {
  if (parent.definition.log !== 'records' || model.definition.activity === undefined) return false;
  return fieldsAbout(model, parent).length > 0;
}

/** Returns the activity entity type with this name. */
export function modelAbout(deps: SearchDeps, parent: EntityModel, entityType: string): EntityModel {
  const model = modelsAbout(deps, parent).find(({ name }) => name === entityType);
  if (model !== undefined) return model;
  const message = `${parent.name} has no activities of type '${printable(entityType)}'.`;
  throw new Refusal('not_found', 'activities.none', message);
}

/** Returns SQL over `t` for activities of one kind; undefined if the actor may not see which records they belong to. */
export function conditionsAbout(
  kind: ActivityKind,
  { query: { model: parent, id }, which }: ActivitiesAbout,
  binder: Binder,
): readonly string[] | undefined {
  const about = fieldsAbout(kind.model, parent).filter((field) => isFieldOpen(kind, field));
  if (about.length === 0) return undefined;
  const bound = `${binder.bind(id)}::text`;
  const links = about.map((field) => {
    const isParent = kind.model.attribute.get(`${field}Type`)?.link === 'type';
    const link = { type: isParent ? 'hasChildren' : 'hasMany', field } as const;
    return holdsId(link, { model: kind.model, alias: 't' }, { model: parent, id: bound });
  });
  return [statusIn(kind.statuses[which], binder), `(${links.join(' or ')})`];
}

/** Returns the fields that link an activity to records of a type, as its parent or as participants. */
function fieldsAbout({ fields }: EntityModel, parent: EntityModel): readonly string[] {
  return [...fields]
    .filter(([, field]) => linkedTypesOf(field).includes(parent.name))
    .map(([name]) => name);
}
