import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathIn } from '../../../shared/http/server/build-server.ts';

/** Where the build leaves a place for the nonce of an answer; services/console/vite.config.ts has the same. */
const noncePlaceholder = '__NONCE__';

/**
 * The console: the files of its build, and its page at every path that nothing else has and a browser asks for as a
 * page, so that a link into the console works. Unknown paths of the API stay errors in JSON.
 */
export async function registerConsolePage(
  server: FastifyInstance,
  directory: string,
): Promise<void> {
  const page = readFileSync(join(directory, 'index.html'), 'utf8');

  await server.register(helmet, { global: false });
  // A scope of its own: the API's answers keep their headers.
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => reply.helmet(headersWith("'self'")));
    await scope.register(fastifyStatic, {
      root: join(directory, 'assets'),
      prefix: '/assets/',
      wildcard: true,
      index: false,
      decorateReply: false,
      preCompressed: true,
      // Every name has a hash of the content in it.
      maxAge: '365d',
      immutable: true,
    });
  });
  // Not a route for all paths: then every path would be known, and a wrong method or a bad path told as nothing else.
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || !isPage(request)) return;
    const nonce = randomBytes(16).toString('base64');
    await reply.helmet(headersWith("'self'", `'nonce-${nonce}'`));
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(noncePlaceholder, nonce));
  });
}

/** Nothing from elsewhere, no script in the page, and styles from files or from the page's own scripts. */
function headersWith(...styleSrc: readonly string[]) {
  const directives = {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: [...styleSrc],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  };
  return {
    contentSecurityPolicy: { useDefaults: false, directives },
    // Whether all of a domain is TLS is for those to say who run the domain.
    strictTransportSecurity: false,
  };
}

function isPage(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const path = pathIn(request);
  const isOfOthers = path === '/api' || path.startsWith('/api/') || path.startsWith('/assets/');
  return !isOfOthers && headers.accept?.includes('text/html') === true;
}
