import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import { joinProblems } from '../../../shared/domain/input/join-problems.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { requireMatch, requireUnmodified } from '../../../shared/domain/record/conditions.ts';
import {
  decideCreate,
  decideDelete,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import { isProblem, parseEventName } from '../../../shared/domain/webhook/parse-event-name.ts';
import { switchActivity } from '../../../shared/domain/webhook/record/webhook.ts';
import { requireWebhookScope } from '../../../shared/domain/webhook/require-webhook.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import type { Append } from '../owner/append.ts';
import type {
  CreateRequest,
  Executed,
  ExistingWriteRequest,
  WriteRequest,
} from '../owner/write-request.ts';
import { requireOpenFields } from '../records/input/read-values.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import type { ResolveLinks } from '../records/input/resolve-links.ts';
import type { RecordHandlers } from '../records/record-handlers.ts';
import { type JudgedUrl, unjudged } from './judge-webhook-url.ts';
import {
  requireBelowLimit,
  requireEvent,
  requireOwn,
  requireReadableEvents,
  requireSameEvent,
  type WebhookLimit,
} from './webhook-rules.ts';
import { newSecret, readHeaders, rotatedSecret, sealHeaders } from './webhook-secrets.ts';

export interface WebhookHandlerDeps extends WebhookLimit {
  readonly appendToDirectory: Append;
  readonly resolveLinks: ResolveLinks;
  readonly newId: () => string;
  readonly secrets: Pick<SecretBox, 'seal' | 'tryOpen'>;
  /** The current end offsets of the records log, by partition. */
  readonly recordsEnd: () => Promise<readonly bigint[]>;
  readonly judgeUrl: (url: string) => Promise<JudgedUrl>;
  readonly now: () => number;
}

/**
 * Handlers for registering, changing and removing webhooks (docs/reference/webhooks.md#registering). API users with the
 * scope `Webhook` and read access to the entity type manage their own webhooks, administrators all.
 */
export function createWebhookHandlers(deps: WebhookHandlerDeps): RecordHandlers {
  return {
    create: (request) => register(request, deps),
    update: (request) => change(request, deps),
    changeLinks: () => {
      throw new Refusal('forbidden', 'access.denied', 'No edit access.');
    },
    restore: () => {
      throw new Refusal('forbidden', 'access.denied', 'A webhook is registered anew.');
    },
    remove: (request) => decideOwn(request, deps, decideDelete),
  };
}

/** Sets a new secret. The old one signs as well for a day. */
export async function rotateSecret(
  request: ExistingWriteRequest,
  deps: WebhookHandlerDeps,
): Promise<Executed> {
  return decideOwn(request, deps, (current) => decideUpdate(current, rotatedSecret(current, deps)));
}

/** Deactivates a webhook whose event can no longer happen. Does nothing for others. */
export async function switchOff(
  request: ExistingWriteRequest,
  deps: WebhookHandlerDeps,
): Promise<Executed> {
  const end = await deps.recordsEnd();
  return decideOwn(request, deps, (current) => {
    const parsed = parseEventName(deps.directory, String(current.values['event']));
    if (!isProblem(parsed)) return decideUpdate(current, {});
    const off = { isActive: false, inactiveReason: parsed.message };
    return decideUpdate(current, { ...off, ...switched(current, false, end) });
  });
}

/** Changes a webhook, if the actor may and it has the version that the client expects. */
async function decideOwn(
  { id, ...request }: ExistingWriteRequest,
  { appendToDirectory }: WebhookHandlerDeps,
  decide: (current: RecordState) => ReturnType<typeof decideUpdate>,
): Promise<Executed> {
  requireWebhookScope(request.actor);
  return appendToDirectory(request, {
    id,
    decide(state) {
      const current = live(state, id);
      requireOwn(request.actor, current);
      requireMatch(current, request.conditions);
      return decide(current);
    },
  });
}

async function register(request: CreateRequest, deps: WebhookHandlerDeps): Promise<Executed> {
  const { actor, model, body } = request;
  requireWebhookScope(actor);
  const input = readInput(model, body, 'create');
  const completed = deriveValues(model, null, input.values);
  const headers = readHeaders(body);
  const problems = [
    ...joinProblems(model, input.problems, completed.problems),
    ...headers.problems,
  ];
  const event = requireEvent(deps.directory, { model, problems, event: completed.values['event'] });
  requireReadableEvents(actor, event, deps.directory);
  const judged = await deps.judgeUrl(String(completed.values['url']));
  refuseProblems(model, judged.problems);
  const bound = await bind(request, { deps, values: { ...completed.values, ...event } });
  const created = {
    ...bound,
    ...skipping(bound),
    activity: switchActivity(null, completed.values['isActive'] === true, await deps.recordsEnd()),
    secretKey: deps.secrets.seal(newSecret()),
    ...sealHeaders(headers.given, undefined, deps.secrets),
  };
  const executed = await deps.appendToDirectory(request, {
    id: request.place?.id ?? deps.newId(),
    isCreation: true,
    decide: (state) => {
      requireBelowLimit(deps, created);
      return decideCreate(state, created);
    },
  });
  return { ...executed, warnings: warningsOf(executed, judged) };
}

async function change(request: ExistingWriteRequest, deps: WebhookHandlerDeps): Promise<Executed> {
  const { actor, model, body, id } = request;
  requireWebhookScope(actor);
  requireOpenFields(request);
  const { values, problems: unreadable } = readInput(model, withoutUser(actor, body), 'update');
  const headers = readHeaders(body);
  const judged = await judgeNewUrl(id, values['url'], deps);
  const problems = [...unreadable, ...judged.problems];
  const bound = problems.length > 0 ? {} : await bind(request, { deps, values });
  const end = await deps.recordsEnd();
  const executed = await decideOwn(request, deps, (current) => {
    requireUnmodified(current, request.conditions, values);
    requireSameEvent(actor, current, body['event']);
    const completed = deriveValues(model, current.values, values);
    const { isActive, event } = { ...current.values, ...completed.values };
    const parsed = isActive === true ? parseEventName(deps.directory, String(event)) : undefined;
    const baseless = parsed !== undefined && isProblem(parsed) ? [parsed] : [];
    refuseProblems(model, [
      ...joinProblems(model, problems, completed.problems),
      ...headers.problems,
      ...baseless,
    ]);
    // Users who may no longer read the entity type can still deactivate or remove an active webhook.
    if (parsed !== undefined && !isProblem(parsed)) {
      requireReadableEvents(actor, parsed, deps.directory);
    }
    const after = {
      ...completed.values,
      ...bound,
      ...skipping({ ...current.values, ...bound }),
      ...switched(current, values['isActive'], end),
      ...sealHeaders(headers.given, current, deps.secrets),
    };
    requireBelowLimit(deps, { ...current.values, ...after }, current);
    return decideUpdate(current, after);
  });
  return { ...executed, warnings: warningsOf(executed, judged) };
}

function warningsOf({ state }: Executed, { warnings }: JudgedUrl): readonly string[] {
  return typeof state.values['userId'] === 'string' ? warnings : [...warnings, sendsEverything];
}

const sendsEverything =
  'The webhook has no API User: it sends every field of every record. Set userId to limit it to what an API User may read.';

/** An unchanged url was checked before, and is checked again at every delivery. */
async function judgeNewUrl(
  id: string,
  url: AttributeValue | undefined,
  { directory, judgeUrl }: WebhookHandlerDeps,
): Promise<JudgedUrl> {
  const isNew = typeof url === 'string' && directory.record('Webhook', id)?.values['url'] !== url;
  return isNew ? judgeUrl(url) : unjudged;
}

/** What activating or deactivating a webhook changes. It gets the events of the log from the times when it is active. */
function switched(
  { values }: RecordState,
  isActive: AttributeValue | undefined,
  end: readonly bigint[],
): AttributeValues {
  if (isActive === undefined || isActive === values['isActive']) return {};
  return {
    activity: switchActivity(values['activity'], isActive === true, end),
    ...(isActive === true ? { inactiveReason: null } : {}),
  };
}

/** Webhooks of API users belong to them. Administrators bind a webhook to an API user, or to none. */
async function bind(
  { actor, model }: WriteRequest,
  { deps, values }: { readonly deps: WebhookHandlerDeps; readonly values: AttributeValues },
): Promise<AttributeValues> {
  if (actor.type !== 'admin') {
    return 'event' in values ? { ...values, userId: actor.id, userName: actor.name } : values;
  }
  const userId = values['userId'];
  if (typeof userId !== 'string') return values;
  const user = deps.directory.record('User', userId);
  if (user !== undefined && user.values['type'] !== 'api') {
    throw new Refusal('forbidden', 'webhook.user_not_api', 'User must be an API User.');
  }
  return { ...values, ...(await deps.resolveLinks({ model, values, actor })).values };
}

/** `skipOwn` needs a user whose changes are skipped. */
function skipping({ userId }: AttributeValues): AttributeValues {
  return typeof userId === 'string' ? {} : { skipOwn: false };
}

function withoutUser(actor: Actor, body: WriteRequest['body']): WriteRequest['body'] {
  if (actor.type === 'admin') return body;
  const { userId: _, ...others } = body;
  return others;
}
