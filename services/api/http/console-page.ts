import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathIn } from '../../../shared/http/server/build-server.ts';

/** The build's placeholder for a response's nonce. services/console/vite.config.ts uses the same text. */
const noncePlaceholder = '__NONCE__';

/**
 * Registers the console's built files and its page. A browser that navigates to a path without a route gets the page,
 * so that links into the console work. Unknown API paths still return errors in JSON.
 */
export async function registerConsolePage(
  server: FastifyInstance,
  directory: string,
): Promise<void> {
  const page = readFileSync(join(directory, 'index.html'), 'utf8');

  await server.register(helmet, { global: false });
  // A separate scope, so that API responses keep their headers.
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => reply.helmet(headersWith("'self'")));
    await scope.register(fastifyStatic, {
      root: join(directory, 'assets'),
      prefix: '/assets/',
      wildcard: true,
      index: false,
      decorateReply: false,
      preCompressed: true,
      // Each file name contains a hash of the file's content.
      maxAge: '365d',
      immutable: true,
    });
  });
  // A hook instead of a catch-all route: with such a route, every path would exist, and wrong methods and bad paths
  // would not get their usual errors.
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

/** Allows no content from other hosts, no scripts without the nonce, and styles only from files or the page's own scripts. */
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
    // Only the domain's operators can decide whether the whole domain uses TLS.
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
