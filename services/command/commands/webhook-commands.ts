import { randomBytes } from 'node:crypto';
import { accessLevel, type Actor, hasScope } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { joinProblems } from '../../../shared/domain/field/join-problems.ts';
import { readInput } from '../../../shared/domain/field/read-input.ts';
import { settleValues } from '../../../shared/domain/field/settle-values.ts';
import type { AttributeValues } from '../../../shared/domain/record/attribute-values.ts';
import { decideCreate, decideDelete, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import {
  type EventName,
  forbiddenEvent,
  isProblem,
  parseEventName,
} from '../../../shared/domain/webhook/parse-event-name.ts';
import type { DirectoryCommands } from './directory-commands.ts';
import type { ExistingWriteRequest, RecordCommands, WriteRequest } from './record-commands.ts';

interface WebhookCommandDeps {
  readonly directory: Directory;
  readonly directoryCommands: DirectoryCommands;
  readonly resolveLinks: (request: {
    readonly model: EntityModel;
    readonly values: AttributeValues;
    readonly actor: Actor;
  }) => Promise<AttributeValues>;
  readonly newId: () => string;
  readonly seal: (secret: string) => string;
  /** The end of the records log, by partition, now. */
  readonly recordsEnd: () => Promise<readonly bigint[]>;
  /** Active webhooks that one user may have. */
  readonly maxPerUser: number;
}

const SECRET_BYTES = 32;

/**
 * Registering, changing and removing webhooks (webhooks.md section 1). An API user manages its own with the scope
 * `Webhook` and read access to the entity; an administrator those of everybody.
 */
export function createWebhookCommands(deps: WebhookCommandDeps): RecordCommands {
  const { directory, directoryCommands } = deps;

  async function create(request: WriteRequest): Promise<RecordState> {
    const { actor, model, body } = request;
    requireWebhookScope(actor);
    const input = readInput(model, body, 'create');
    const settled = settleValues(model, null, input.values);
    const problems = joinProblems(model, input.problems, settled.problems);
    const parsed = parseEventName(directory, String(settled.values['event'] ?? ''));
    const all = isProblem(parsed) && !problems.some(({ field }) => field === 'event') ? [parsed, ...problems] : problems;
    const [first, ...others] = all;
    if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
    if (isProblem(parsed)) throw validationFailure(model.name, [parsed]);
    requireReadable(actor, parsed);
    const values = await bind(request, { ...settled.values, ...parsed });
    const activeFrom = await activeFromNow();
    const created = { ...values, activeFrom, secretKey: deps.seal(randomBytes(SECRET_BYTES).toString('hex')) };
    return directoryCommands.append(request, {
      id: deps.newId(),
      isCreation: true,
      decide: (state) => {
        requireBelowLimit(created);
        return decideCreate(state, created);
      },
    });
  }

  async function update(request: ExistingWriteRequest): Promise<RecordState> {
    const { actor, model, body, id } = request;
    requireWebhookScope(actor);
    const input = readInput(model, withoutUser(actor, body), 'update');
    const links = input.problems.length > 0 ? {} : await bind(request, input.values);
    const activeFrom = input.values['isActive'] === true ? await activeFromNow() : [];
    return directoryCommands.append(request, {
      id,
      isCreation: false,
      decide: (state) => {
        const current = live(state);
        requireOwn(actor, current);
        requireSameEvent(actor, current, body['event']);
        const settled = settleValues(model, current.values, input.values);
        const [first, ...others] = joinProblems(model, input.problems, settled.problems);
        if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
        const activated = settled.values['isActive'] === true && current.values['isActive'] !== true;
        const values = { ...settled.values, ...links, ...(activated ? { activeFrom } : {}) };
        requireBelowLimit({ ...current.values, ...values }, current);
        return decideUpdate(current, values);
      },
    });
  }

  async function remove(request: ExistingWriteRequest): Promise<void> {
    requireWebhookScope(request.actor);
    await directoryCommands.append(request, {
      id: request.id,
      isCreation: false,
      decide: (state) => {
        requireOwn(request.actor, live(state));
        return decideDelete(state);
      },
    });
  }

  /** A webhook gets what happens from here on: events that the log has already are not its own. */
  async function activeFromNow(): Promise<readonly string[]> {
    return (await deps.recordsEnd()).map(String);
  }

  /** An API user's webhooks are its own; an administrator binds one to an API user, or to none. */
  async function bind({ actor, model }: WriteRequest, values: AttributeValues): Promise<AttributeValues> {
    if (actor.type !== 'admin') {
      return 'event' in values ? { ...values, userId: actor.id, userName: actor.name } : values;
    }
    const userId = values['userId'];
    if (typeof userId !== 'string') return values;
    const user = directory.record('User', userId);
    if (user !== undefined && user.values['type'] !== 'api') {
      throw new Refusal('forbidden', 'webhook.user_not_api', 'User must be an API User.');
    }
    return { ...values, ...(await deps.resolveLinks({ model, values, actor })) };
  }

  /** Exact under concurrency: the directory's owner decides one command at a time on all that is in the log. */
  function requireBelowLimit(after: AttributeValues, before?: RecordState): void {
    const { userId, isActive } = after;
    if (typeof userId !== 'string' || isActive !== true) return;
    if (before?.values['isActive'] === true && before.values['userId'] === userId) return;
    const active = directory
      .records('Webhook')
      .filter(({ values }) => values['userId'] === userId && values['isActive'] === true);
    if (active.length >= deps.maxPerUser) {
      throw new Refusal(
        'forbidden',
        'webhook.too_many',
        `Webhook number per user exceeded the limit of ${deps.maxPerUser} active ones.`,
      );
    }
  }

  return { create, update, remove };
}

function requireWebhookScope(actor: Actor): void {
  const allowed = actor.type === 'admin' || (actor.type === 'api' && hasScope(actor, 'Webhook'));
  if (!allowed) throw new Refusal('forbidden', 'webhook.forbidden', "No access to 'Webhook'.");
}

function requireReadable(actor: Actor, { entityType }: EventName): void {
  const level = accessLevel(actor, entityType, 'read');
  if (level === 'no') throw forbiddenEvent(entityType);
}

function requireOwn(actor: Actor, { values }: RecordState): void {
  if (actor.type !== 'admin' && values['userId'] !== actor.id) {
    throw new Refusal('forbidden', 'access.denied', 'No edit access.');
  }
}

/** The event is fixed. What an API user sends for it is dropped; an administrator is told. */
function requireSameEvent(actor: Actor, { values }: RecordState, event: unknown): void {
  if (actor.type === 'admin' && event !== undefined && event !== values['event']) {
    throw new Refusal('forbidden', 'webhook.event_fixed', "Event can't be changed.");
  }
}

function withoutUser(actor: Actor, body: WriteRequest['body']): WriteRequest['body'] {
  if (actor.type === 'admin') return body;
  const { userId: _, ...others } = body;
  return others;
}
