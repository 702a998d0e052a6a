import {
  type Actor,
  hasScope,
  mayEditField,
  requireAdministrator,
  requireScope,
} from '../../../shared/domain/access/actor.ts';
import {
  requireStreamAccess,
  requireStreamScope,
} from '../../../shared/domain/access/stream-access.ts';
import { accessOf } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { amountsOf, findUnknownCurrencies } from '../../../shared/domain/input/convert-amounts.ts';
import type { CurrencyRates } from '../../../shared/domain/input/currency-rates.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { type AttributeValue, toObject } from '../../../shared/domain/value/attribute-values.ts';
import { convertCurrencyCommand } from '../currency/currency-commands.ts';
import { badActionData, readTargetCurrency } from '../currency/plan-conversion.ts';
import type { Acting } from '../owner/command.ts';
import type { CommandDefinition } from '../owner/define-command.ts';
import { editable } from '../records/input/read-values.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import { linkCommand } from '../records/link.ts';
import { removeCommand } from '../records/remove.ts';
import { updateCommand } from '../records/update.ts';
import { markCommandFor } from '../stream/mark-record.ts';
import { markCommand } from '../stream/stream-commands.ts';
import { notUndoable } from '../undo/find-change.ts';
import { revertCommand } from '../undo/revert-command.ts';
import { readRecordName, requireAuthor } from '../undo/undoable-change.ts';

type Data = Readonly<Record<string, unknown>>;

interface ActionRequest extends Acting {
  readonly data: Data;
  readonly currencies: CurrencyRates;
}

/** One record of a mass action, together with the actor. */
interface Target extends Acting {
  readonly id: string;
}

/** The actor, the entity type and the data of a mass action. */
interface MassActing extends Acting {
  readonly data: Data;
  /** True if a search selected the records. */
  readonly isSearch: boolean;
}

/** The command for each record. `model` and `id` name another record if the command is not for the record itself. */
export interface RecordStep {
  /**
   * Rejects actors who lack the permission for the action. Checked again before each record, because permissions can be
   * revoked.
   */
  readonly requireRights: (acting: MassActing) => void;
  readonly toCommand: (
    data: Data,
    target: Target,
    findModel: FindModel,
  ) => {
    readonly command: CommandDefinition;
    readonly body: object;
    readonly model?: EntityModel;
    readonly id?: string;
  };
  /** Rejects a record that the actor may not change. Absent if the command itself checks the permission. */
  readonly requireAllowed?: (actor: Actor, model: EntityModel, record: RecordState) => void;
  /** The records to change before all others. */
  readonly firstIds?: (data: Data) => readonly string[];
}

/** Definition of an action on many records. */
export interface MassActionKind extends RecordStep {
  /** Returns true if an entity type supports the action. */
  readonly isFor: (model: EntityModel) => boolean;
  /** Rejects invalid data, and returns the part to be stored. */
  readonly prepare: (request: ActionRequest) => Data;
}

/** An action without effect. It counts the records that the actor may edit. */
const nothing: RecordStep['toCommand'] = () => ({ command: updateCommand, body: {} });

/** Returns the action by which the actor follows or unfollows each record. */
function following(isFollowed: boolean): MassActionKind {
  return {
    isFor: ({ definition }) => definition.hasStream === true,
    requireRights: ({ actor, model }) => requireStreamScope(actor, model),
    prepare: () => ({}),
    requireAllowed: requireStreamAccess,
    toCommand: (_, { actor, model, id }, findModel) => ({
      command: markCommand,
      ...markCommandFor({ model, id, userId: actor.id, marks: { isFollowed } }, findModel),
    }),
  };
}

/** Locking is not supported: `isLocked` is always false. */
const locking: MassActionKind = {
  isFor: () => false,
  requireRights: () => undefined,
  prepare: () => ({}),
  toCommand: nothing,
};

/**
 * The actions, by the name that clients use. Each record is written as if by a separate request, with access checks,
 * validation, history and webhooks.
 */
const kinds: Readonly<Record<string, MassActionKind>> = {
  update: {
    isFor: () => true,
    requireRights: requireMassEdit,
    prepare: (request) => ({ values: readValues(request) }),
    toCommand: ({ values }) => ({ command: updateCommand, body: toObject(values) }),
  },
  delete: {
    isFor: () => true,
    requireRights(acting) {
      if (acting.isSearch) requireMassUpdate(acting.actor);
      requireRight(acting, 'delete');
    },
    prepare: () => ({}),
    toCommand: () => ({ command: removeCommand, body: {} }),
  },
  follow: following(true),
  unfollow: following(false),
  convertCurrency: {
    isFor: (model) => amountsOf(model).length > 0,
    requireRights: requireMassEdit,
    // If the field becomes read-only later, the records are skipped, and the result states why.
    prepare: ({ actor, model, data, currencies }) => ({
      targetCurrency: readTargetCurrency(data, currencies),
      fields: openAmounts(actor, model),
    }),
    toCommand: (data) => ({ command: convertCurrencyCommand, body: data }),
  },
  // Annals has no formulas, so recalculating changes nothing.
  recalculateFormula: {
    isFor: ({ definition }) => definition.isObject,
    requireRights: ({ actor }) => requireAdministrator(actor),
    prepare: () => ({}),
    toCommand: nothing,
  },
  lock: locking,
  unlock: locking,
};

/** The names of the actions that clients can request. */
export const massActionNames: readonly string[] = Object.keys(kinds);

/** The name of mass actions that link. Clients request them with the path of a link, not with this name. */
export const massLinkAction = 'massLink';

/** A mass link for which the found records store the ids of the linked records. */
const massLinkStep: RecordStep = {
  requireRights({ actor, model, data: { entityType } }) {
    requireScope(actor, model.name, 'edit');
    requireScope(actor, String(entityType), 'edit');
  },
  toCommand({ field, entityType, id, columnsOf }) {
    const held = { field, ids: [id], entityType, side: 'foreign' };
    // Set if the link is part of copying a record, which has already checked the permissions.
    const copied = columnsOf === undefined ? {} : { columnsOf, isNew: true };
    return { command: linkCommand, body: { ...held, ...copied } };
  },
};

/** The name of mass actions that undo a change. Clients request them with `POST Undo`. */
export const revertAction = 'revert';

/** The ids identify records of any type, see toRecordName. The data is an UndoableChange. */
const revertStep: RecordStep = {
  requireRights: ({ actor, data }) => requireAuthor(actor, String(data['authorId'])),
  firstIds: ({ first }) => idsIn(first as AttributeValue),
  toCommand(data, { id }, findModel) {
    const { entityType, recordId } = readRecordName(id);
    const model = findModel(entityType);
    if (model === undefined) throw notUndoable(entityType);
    return { command: revertCommand, body: data, model, id: recordId };
  },
};

/** The actions that clients cannot request by name. */
const internalSteps: ReadonlyMap<string, RecordStep> = new Map([
  [massLinkAction, massLinkStep],
  [revertAction, revertStep],
]);

/** Returns the action with this name; undefined if the name is unknown. */
export function recordStep(action: string): RecordStep | undefined {
  return internalSteps.get(action) ?? massActionKind(action);
}

/** Returns the action with this name; undefined if clients cannot request it. */
export function massActionKind(name: string): MassActionKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

function openAmounts(actor: Actor, model: EntityModel): readonly string[] {
  const fields = amountsOf(model).map(({ field }) => field);
  return [...new Set(fields)].filter((field) => mayEditField(actor, model, field));
}

function requireMassEdit(acting: MassActing): void {
  requireMassUpdate(acting.actor);
  requireRight(acting, 'edit');
}

function requireMassUpdate({ type, permissions }: Actor): void {
  if (type === 'admin' || permissions.massUpdate === 'yes') return;
  throw new Refusal('forbidden', 'mass_action.denied', 'No mass update permission.');
}

function requireRight({ actor, model }: Acting, right: 'edit' | 'delete'): void {
  if (accessOf(model.definition) !== 'switch') requireScope(actor, model.name, right);
  else if (!hasScope(actor, model.name)) {
    throw new Refusal('forbidden', 'webhook.forbidden', `No access to '${model.name}'.`);
  }
}

/**
 * Returns the values of an update that clients may write. Rejects values that are invalid for every record. Other
 * values are checked per record.
 */
function readValues({ actor, model, data, currencies }: ActionRequest): Data {
  // Older clients send the values directly, not under `values`.
  const { values = data, actions } = data;
  if (Object.keys(data).length === 0) throw badActionData("'data' has no values to write.");
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw badActionData("'data.values' must be an object.");
  }
  const replaces = Object.values(actions ?? {}).every((action) => action === 'update');
  if (!replaces) throw badActionData("'data.actions' can only be 'update'.");
  const written = Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const attribute = model.attribute.get(name);
      return attribute?.writable === true && !attribute.isSecret;
    }),
  );
  const allowed = editable(actor, model, written);
  const { values: read, problems } = readInput(model, allowed, 'update');
  refuseProblems(model, [...problems, ...findUnknownCurrencies(model, read, currencies)]);
  return allowed;
}
