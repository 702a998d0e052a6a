import type { Actor } from '../../../shared/domain/access/actor.ts';
import { isProblem, parseEventName } from '../../../shared/domain/directory/parse-event-name.ts';
import { requireWebhookScope } from '../../../shared/domain/directory/require-webhook.ts';
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
import { switchActivity } from '../../../shared/domain/webhook/record/webhook.ts';
import type { CommandContext } from '../context.ts';
import { appendToDirectory } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { requireOpenFields } from '../records/input/read-values.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import type { RecordHandlers } from '../records/record-handlers.ts';
import { noUrlProblems, type UrlValidation } from './validate-webhook-url.ts';
import {
  requireBelowLimit,
  requireEvent,
  requireOwn,
  requireReadableEvents,
  requireSameEvent,
} from './webhook-rules.ts';
import { newSecret, readHeaders, rotatedSecret, sealHeaders } from './webhook-secrets.ts';

/**
 * Handlers for registering, changing and removing webhooks (docs/reference/webhooks.md#registering). API users with the
 * scope `Webhook` and read access to the entity type manage their own webhooks. Administrators manage all webhooks.
 */
export const webhookHandlers: RecordHandlers = {
  create: register,
  update: change,
  changeLinks: () => {
    throw new Refusal('forbidden', 'access.denied', 'No edit access.');
  },
  restore: () => {
    throw new Refusal(
      'forbidden',
      'access.denied',
      'A deleted webhook has to be registered again.',
    );
  },
  remove: (request, context) => decideOwn(request, context, decideDelete),
};

/** Sets a new secret. For a day, requests are signed with the old one as well. */
export async function rotateSecret(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  return decideOwn(request, context, (current, now) =>
    decideUpdate(current, rotatedSecret(current, now, context.secrets)),
  );
}

/** Deactivates a webhook whose event can no longer happen. Leaves other webhooks unchanged. */
export async function switchOff(request: WriteRequest, context: CommandContext): Promise<Executed> {
  const end = await context.recordsEnd();
  return decideOwn(request, context, (current) => {
    const parsed = parseEventName(context.directory, String(current.values['event']));
    if (!isProblem(parsed)) return decideUpdate(current, {});
    const off = { isActive: false, inactiveReason: parsed.message };
    return decideUpdate(current, { ...off, ...switched(current, false, end) });
  });
}

/** Changes a webhook. Rejects actors who lack the permission, and unexpected versions of the webhook. */
async function decideOwn(
  { id, ...request }: WriteRequest,
  context: CommandContext,
  decide: (current: RecordState, now: number) => ReturnType<typeof decideUpdate>,
): Promise<Executed> {
  requireWebhookScope(request.actor);
  return appendToDirectory(context, request, {
    id,
    decide(state, { now }) {
      const current = live(state, id);
      requireOwn(request.actor, current);
      requireMatch(current, request.conditions);
      return decide(current, now);
    },
  });
}

async function register(request: WriteRequest, context: CommandContext): Promise<Executed> {
  const { actor, model, body } = request;
  requireWebhookScope(actor);
  const input = readInput(model, body, 'create');
  const completed = deriveValues(model, null, input.values);
  const headers = readHeaders(body);
  const problems = [
    ...joinProblems(model, input.problems, completed.problems),
    ...headers.problems,
  ];
  const event = requireEvent(context.directory, {
    model,
    problems,
    event: completed.values['event'],
  });
  requireReadableEvents(actor, event, context.directory);
  const validation = await context.validateUrl(String(completed.values['url']));
  refuseProblems(model, validation.problems);
  const bound = await bind(request, { context, values: { ...completed.values, ...event } });
  const created = {
    ...bound,
    ...skipping(bound),
    activity: switchActivity(
      null,
      completed.values['isActive'] === true,
      await context.recordsEnd(),
    ),
    secretKey: context.secrets.seal(newSecret()),
    ...sealHeaders(headers.given, undefined, context.secrets),
  };
  const executed = await appendToDirectory(context, request, {
    id: request.place?.id ?? context.newId(),
    isCreation: true,
    decide: (state) => {
      requireBelowLimit(context, created);
      return decideCreate(state, created);
    },
  });
  return { ...executed, warnings: warningsOf(executed, validation) };
}

async function change(request: WriteRequest, context: CommandContext): Promise<Executed> {
  const { actor, model, body, id } = request;
  requireWebhookScope(actor);
  requireOpenFields(request);
  const { values, problems: invalid } = readInput(model, withoutUser(actor, body), 'update');
  const headers = readHeaders(body);
  const validation = await validateNewUrl(id, values['url'], context);
  const problems = [...invalid, ...validation.problems];
  const bound = problems.length > 0 ? {} : await bind(request, { context, values });
  const end = await context.recordsEnd();
  const executed = await decideOwn(request, context, (current) => {
    requireUnmodified(current, request.conditions, values);
    requireSameEvent(actor, current, body['event']);
    const completed = deriveValues(model, current.values, values);
    const { isActive, event } = { ...current.values, ...completed.values };
    const parsed = isActive === true ? parseEventName(context.directory, String(event)) : undefined;
    const eventProblems = parsed !== undefined && isProblem(parsed) ? [parsed] : [];
    refuseProblems(model, [
      ...joinProblems(model, problems, completed.problems),
      ...headers.problems,
      ...eventProblems,
    ]);
    // Users who may no longer read the entity type can still deactivate or remove an active webhook.
    if (parsed !== undefined && !isProblem(parsed)) {
      requireReadableEvents(actor, parsed, context.directory);
    }
    const after = {
      ...completed.values,
      ...bound,
      ...skipping({ ...current.values, ...bound }),
      ...switched(current, values['isActive'], end),
      ...sealHeaders(headers.given, current, context.secrets),
    };
    requireBelowLimit(context, { ...current.values, ...after }, current);
    return decideUpdate(current, after);
  });
  return { ...executed, warnings: warningsOf(executed, validation) };
}

function warningsOf({ state }: Executed, { warnings }: UrlValidation): readonly string[] {
  return typeof state.values['userId'] === 'string' ? warnings : [...warnings, sendsEverything];
}

const sendsEverything =
  'The webhook has no API User and sends every field of every record. Set userId to restrict it to the permissions of an API User.';

/** Skips an unchanged URL: it was validated before, and is validated again for every delivery. */
async function validateNewUrl(
  id: string,
  url: AttributeValue | undefined,
  { directory, validateUrl }: CommandContext,
): Promise<UrlValidation> {
  const isNew = typeof url === 'string' && directory.record('Webhook', id)?.values['url'] !== url;
  return isNew ? validateUrl(url) : noUrlProblems;
}

/** Returns the changes for an activation or deactivation. A webhook gets only events that happen while it is active. */
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

/** Sets the user of a webhook. API users own their webhooks. Administrators may choose an API user. */
async function bind(
  { actor, model }: WriteRequest,
  { context, values }: { readonly context: CommandContext; readonly values: AttributeValues },
): Promise<AttributeValues> {
  if (actor.type !== 'admin') {
    return 'event' in values ? { ...values, userId: actor.id, userName: actor.name } : values;
  }
  const userId = values['userId'];
  if (typeof userId !== 'string') return values;
  const user = context.directory.record('User', userId);
  if (user !== undefined && user.values['type'] !== 'api') {
    throw new Refusal('forbidden', 'webhook.user_not_api', 'User must be an API User.');
  }
  return { ...values, ...(await context.resolveLinks({ model, values, actor })).values };
}

/** `skipOwn` is meaningless without a user. */
function skipping({ userId }: AttributeValues): AttributeValues {
  return typeof userId === 'string' ? {} : { skipOwn: false };
}

function withoutUser(actor: Actor, body: WriteRequest['body']): WriteRequest['body'] {
  if (actor.type === 'admin') return body;
  const { userId: _, ...others } = body;
  return others;
}
