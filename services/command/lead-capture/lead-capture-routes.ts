import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { leadCaptureType } from '../../../shared/domain/entity/stock/lead-capture.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { addressOf } from '../../../shared/http/address/address-of.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { always, changed, ofBody } from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import { anything, id, objectOf } from '../../../shared/http/describe/schemas.ts';
import { findAfterCatchUp } from '../../../shared/http/login/find-after-catch-up.ts';
import { requireObject, requireText } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { answerRecord } from '../http/send-written.ts';
import { captureLead, requireModel } from './capture-lead.ts';
import { createCaptureLimit } from './capture-limit.ts';
import { renewCaptureKeyCommand, requiresOptIn } from './lead-capture-commands.ts';
import { createOneByOne } from './one-by-one.ts';
import { readCapturedValues } from './read-captured-values.ts';
import { requestOptIn } from './request-opt-in.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False disables the operator's CORS settings for a route. */
    cors?: false;
  }
}

type KeyParams = { readonly id: string };

const path = '/api/v1/LeadCapture/:id';
const MAX_BODY_BYTES = 64 * 1024;
const MAX_PER_ADDRESS = 120;
const MAX_PER_KEY = 600;
/** E-mails cost more than leads, and annoy if the address is not the visitor's. */
const MAX_OPT_INS_PER_ADDRESS = 30;

/**
 * Registers the routes for leads from web forms (docs/reference/lead-capture.md). The key in the path is the only
 * credential (docs/adr/0046-authenticate-lead-capture-by-the-key-in-its-path.md).
 */
export function registerLeadCaptureRoutes(server: FastifyInstance, context: CommandContext): void {
  const requireRate = createRequireRate(context.now);
  /** By capture. If a form is sent twice, the second request finds the lead of the first. */
  const oneByOne = createOneByOne();

  server.options<{ Params: KeyParams }>(
    path,
    { ...preflight, ...forEveryOrigin },
    async (request, reply) => {
      await requireCapture(context, request.params.id);
      void reply.header('Access-Control-Allow-Methods', 'POST');
      void reply.header('Access-Control-Allow-Headers', 'Content-Type, Accept');
      return sendJson(reply, true);
    },
  );

  server.post<{ Params: KeyParams }>(
    path,
    { ...capture, ...forEveryOrigin, bodyLimit: MAX_BODY_BYTES },
    async (request, reply) => {
      requireRate(`address ${addressOf(request)}`, MAX_PER_ADDRESS);
      const found = await requireCapture(context, request.params.id);
      const { id: captureId, values: capture } = found;
      requireRate(`capture ${captureId}`, MAX_PER_KEY);
      const payload = requireObject(request.body);
      const values = readCapturedValues(requireModel(context, 'Lead'), capture, payload);
      const deadline = context.now() + context.timeoutMs;
      const captured = { capture, values, deadline };
      if (!requiresOptIn(capture)) {
        await oneByOne(captureId, () => captureLead(captured, context));
        return sendJson(reply, true);
      }
      requireRate(`opt-ins ${addressOf(request)}`, MAX_OPT_INS_PER_ADDRESS);
      const acceptLanguage = request.headers['accept-language'];
      const optIn = { ...captured, captureId, acceptLanguage };
      await oneByOne(captureId, () => requestOptIn(optIn, context));
      return sendJson(reply, true);
    },
  );

  server.post('/api/v1/LeadCapture/action/generateNewApiKey', renew, async (request, reply) => {
    const body = requireObject(request.body);
    const input = { command: renewCaptureKeyCommand, body, entity: leadCaptureType };
    const command = { ...(await readCommand(context, request, input)), body: {} };
    requireAdministrator(command.actor);
    if (command.model.definition.isCustom === true) {
      throw new Refusal('not_found', 'action.unknown', 'A custom entity type does not have keys.');
    }
    const renewing = { ...command, id: requireText(body, 'id') };
    const answer = await context.sender.send(renewCaptureKeyCommand, renewing);
    return answerRecord(context, reply, { request, command: renewing, answer });
  });
}

/** Pages from any origin may send requests and read the responses. The operator's own CORS settings do not apply. */
const forEveryOrigin = {
  config: { cors: false as const },
  onRequest(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    void reply.header('Access-Control-Allow-Origin', '*');
    void reply.header('Access-Control-Expose-Headers', 'Retry-After, X-Status-Reason');
    done();
  },
};

function createRequireRate(now: () => number) {
  const limits = new Map(
    [MAX_PER_ADDRESS, MAX_PER_KEY, MAX_OPT_INS_PER_ADDRESS].map((max) => [
      max,
      createCaptureLimit(max, now),
    ]),
  );
  return (key: string, max: number): void => {
    const retryAfterSeconds = limits.get(max)?.(key);
    if (retryAfterSeconds === undefined) return;
    throw new Refusal('too_many_requests', 'rate.limited', 'Too many requests.', {
      retryAfterSeconds,
    });
  };
}

/** Returns the active capture that has this key. Also finds a capture that another instance has just created. */
async function requireCapture(
  { directory, secrets, catchUp }: CommandContext,
  key: string,
): Promise<RecordState> {
  const hash = secrets.lookupHash(key);
  const find = () => {
    const found = directory.leadCaptureByKeyHash(hash);
    return found?.values['isActive'] === true ? found : undefined;
  };
  const found = find() ?? (await findAfterCatchUp(find, catchUp));
  if (found !== undefined) return found;
  const message = 'No active lead capture has this key.';
  throw new Refusal('not_found', 'lead.capture_unknown', message);
}

const isShipped = { tag: leadCaptureType, isOpen: 'always' } as const;
const errorsOfKey = [...always, 'lead.capture_unknown'] as const;

const preflight = describeRoute({
  ...isShipped,
  id: 'LeadCapture_preflight',
  summary: 'Allow pages of every origin to send the form',
  description: 'The path contains the key of the capture instead of an id.',
  parameters: ['id'],
  answer: { const: true },
  errors: errorsOfKey,
});

const capture = describeRoute({
  ...isShipped,
  id: 'LeadCapture_capture',
  summary: 'Send a web form',
  description: 'The key of the capture replaces the id in the path, and is the only credential.',
  parameters: ['id'],
  body: { ...anything, examples: [{ lastName: 'Doe', emailAddress: 'doe@example.com' }] },
  answer: { const: true },
  errors: [
    ...errorsOfKey,
    ...ofBody,
    'change.too_large',
    'change.unstorable',
    'lead.empty',
    'list.too_slow',
    'mail.limited',
    'mail.off',
    'record.invalid',
    'record.quarantined',
    'search.busy',
    'storage.low',
  ],
});

const renew = describeRoute({
  id: 'LeadCapture_generateNewApiKey',
  tag: leadCaptureType,
  summary: 'Replace the key of a capture',
  description: 'For administrators. The previous key is refused from then on.',
  parameters: ['Idempotency-Key'],
  body: objectOf({ id }),
  answer: refer('schemas', leadCaptureType),
  headers: writeHeaders,
  errors: [...changed, 'access.admin_only', 'action.unknown', 'body.value_missing'],
});
