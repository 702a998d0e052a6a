import {
  type Actor,
  hasScope,
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
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { convertCurrencyCommand } from '../currency/currency-commands.ts';
import { badActionData, readTargetCurrency } from '../currency/target-currency.ts';
import type { CommandDefinition } from '../forwarding/define-command.ts';
import type { Command } from '../forwarding/send-to-owner.ts';
import { editable } from '../records/input/read-values.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import { linkCommand, removeCommand, updateCommand } from '../records/record-commands.ts';
import { markCommandFor } from '../stream/mark-record.ts';
import { markCommand } from '../stream/stream-commands.ts';

type Data = Readonly<Record<string, unknown>>;

interface Asked {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly data: Data;
  readonly currencies: CurrencyRates;
}

/** One of the records of a mass action, and who acts. */
interface Target {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly id: string;
}

/** Who acts on records of which type, and how they were chosen. */
interface Acting {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly data: Data;
  /** The records are those of a search. */
  readonly isSearch: boolean;
}

/** What is done with each record; `model` and `id` where it is done to another one than the record itself. */
export interface RecordStep {
  /** Throws for who may do it with no record at all. Asked again before each record: rights can be taken away. */
  readonly requireRights: (acting: Acting) => void;
  readonly toCommand: (
    data: Data,
    target: Target,
    findModel: FindModel,
  ) => { readonly command: CommandDefinition; readonly body: object } & Partial<
    Pick<Command, 'model' | 'id'>
  >;
  /** Throws where the actor may not do it with this very record; absent: the command asks that itself. */
  readonly requireAllowed?: (actor: Actor, model: EntityModel, record: RecordState) => void;
}

/** One action that can be done with many records. */
export interface MassActionKind extends RecordStep {
  /** Entity types that have it, among those that people work with. */
  readonly isFor: (model: EntityModel) => boolean;
  /** Throws for data that makes no sense; answers what is kept of it. */
  readonly prepare: (asked: Asked) => Data;
}

/** Changes nothing, but only where the actor may edit: such records count. */
const nothing: RecordStep['toCommand'] = () => ({ command: updateCommand, body: {} });

/** The user who acts follows each record, or no longer does. */
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

/** No records can be locked: `isLocked` is always false. */
const locking: MassActionKind = {
  isFor: () => false,
  requireRights: () => undefined,
  prepare: () => ({}),
  toCommand: nothing,
};

/** By the name that clients give. Each record goes the way of a single write: access, validation, history, webhooks. */
const kinds: Readonly<Record<string, MassActionKind>> = {
  update: {
    isFor: () => true,
    requireRights: requireMassEdit,
    prepare: (asked) => ({ values: readValues(asked) }),
    toCommand: ({ values }) => ({ command: updateCommand, body: Object(values) }),
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
  // There are no formulas: every record is as it should be.
  recalculateFormula: {
    isFor: ({ definition }) => definition.isObject,
    requireRights: ({ actor }) => requireAdministrator(actor),
    prepare: () => ({}),
    toCommand: nothing,
  },
  convertCurrency: {
    isFor: (model) => amountsOf(model).length > 0,
    requireRights: requireMassEdit,
    prepare: (asked) => ({ targetCurrency: readTargetCurrency(asked) }),
    toCommand: (data) => ({ command: convertCurrencyCommand, body: data }),
  },
  follow: following(true),
  unfollow: following(false),
  lock: locking,
  unlock: locking,
};

/** The action of mass actions that link: clients ask for them at the link, and not by this name. */
export const massLinkAction = 'massLink';

/** Each record found holds the id of the one that it is linked with. */
const massLinkStep: RecordStep = {
  requireRights({ actor, model, data: { entityType } }) {
    requireScope(actor, model.name, 'edit');
    requireScope(actor, String(entityType), 'edit');
  },
  toCommand({ field, entityType, id, columnsOf }) {
    const held = { field, ids: [id], entityType, side: 'foreign' };
    // Of a copy, whose maker decided about it.
    const copied = columnsOf === undefined ? {} : { columnsOf, isNew: true };
    return { command: linkCommand, body: { ...held, ...copied } };
  },
};

/** What an action, by its name, does with each record; undefined for one that there is not. */
export function recordStep(action: string): RecordStep | undefined {
  return action === massLinkAction ? massLinkStep : massActionKind(action);
}

/** The same as far as clients know it by its name. */
export function massActionKind(name: string): MassActionKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

function requireMassEdit(acting: Acting): void {
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

/** What clients may write of it. A value that no record could take is refused; others are judged record by record. */
function readValues({ actor, model, data, currencies }: Asked): Data {
  const { values, actions } = data;
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw badActionData("'data.values' has to be an object.");
  }
  const replaces = Object.values(Object(actions)).every((action) => action === 'update');
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
