import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { acceptedLanguage } from '../../../shared/http/accepted-language.ts';
import { addressOf } from '../../../shared/http/address/address-of.ts';
import { pathIn } from '../../../shared/http/server/build-server.ts';
import type { CommandContext } from '../context.ts';
import { createCaptureLimit } from './capture-limit.ts';
import { visitOptIn } from './confirm-opt-in.ts';
import { createOneByOne } from './one-by-one.ts';
import { type OptInOutcome, optInPage, optInPageHeaders } from './opt-in-page.ts';

const MAX_PER_ADDRESS = 60;

const statuses: Readonly<Record<OptInOutcome['kind'], number>> = {
  confirmed: 200,
  expired: 200,
  incomplete: 400,
  unknown: 404,
  failed: 409,
  later: 503,
};

/**
 * Serves the page behind the link of an opt-in, `/?entryPoint=confirmOptIn&id=…`, the address that EspoCRM uses. A hook
 * instead of a route: with a route for `/`, the console would lose its page there.
 */
export function serveOptInPage(server: FastifyInstance, context: CommandContext): void {
  const visits = { context, oneByOne: createOneByOne() };
  const secondsUntilFree = createCaptureLimit(MAX_PER_ADDRESS, context.now);

  // Without a promise for the requests of other routes.
  server.addHook('onRequest', (request, reply, done) => {
    if (isVisit(request)) serve(request, reply).catch(done);
    else done();
  });

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const language = acceptedLanguage(request.headers['accept-language']) ?? 'en';
    const isLimited = secondsUntilFree(addressOf(request)) !== undefined;
    const outcome: OptInOutcome = isLimited
      ? { kind: 'later' }
      : await visitOptIn(visits, toObject(request.query)['id']);
    if (outcome.kind === 'later') void reply.header('retry-after', '60');
    await reply
      .code(isLimited ? 429 : statuses[outcome.kind])
      .headers(optInPageHeaders)
      .send(optInPage(outcome, language));
  }
}

function isVisit(request: FastifyRequest): boolean {
  if (!request.is404 || request.method !== 'GET' || pathIn(request) !== '/') return false;
  return toObject(request.query)['entryPoint'] === 'confirmOptIn';
}
