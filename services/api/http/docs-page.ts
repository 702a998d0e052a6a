import { createHash } from 'node:crypto';
import fastifyExpress from '@fastify/express';
import type { FastifyInstance } from 'fastify';
import swaggerUi from 'swagger-ui-express';
import { loadWhenAuthorized } from './load-when-authorized.ts';

const root = '/api/docs';

/** Of the package, those that the page asks for; it has a page of its own too, which is not wanted. */
const files = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-init.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

/** Until the document of the API takes its place. */
const howToBegin = `Choose **Authorize** to see the operations and to try them: with a password, or with the key of an API
user. It has to be an administrator, or somebody with a role that has the scope \`OpenApi\`.

A signature is good for one method and path alone, so that the page cannot be used with HMAC: take the key of another API
user with the same roles.`;

/**
 * The page where people read and try the API. It is for everybody, since it knows nothing: it begins with `frame`, how
 * to prove who one is, and loads the document of the API with what its visitor then enters.
 */
export async function registerDocsPage(
  server: FastifyInstance,
  frame: { readonly info?: object },
): Promise<void> {
  const options = {
    customSiteTitle: 'Annals API',
    customCss: '',
    swaggerOptions: {
      // The page would otherwise load what the query of its address names.
      url: '',
      // A service of others that would be told of the document.
      validatorUrl: null,
      layout: 'BaseLayout',
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      plugins: [loadWhenAuthorized],
    },
  };
  const document = { ...frame, info: { ...frame.info, description: howToBegin }, paths: {} };
  const page = swaggerUi.generateHTML(document, options).replaceAll('="./', `="${root}/`);
  const headers = {
    'content-security-policy': policyFor(page),
    'referrer-policy': 'no-referrer',
  };

  // A scope of its own: no other request passes through Express.
  await server.register(async (scope) => {
    scope.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
      void reply.headers(headers);
      // Express would decode the whole of it, and fail at what is not encoded properly.
      raw.url = routeOptions.url ?? root;
    });
    // Express sets the type where Fastify does not look for it.
    scope.addHook('onSend', async (_request, reply, payload) => {
      const type = reply.raw.getHeader('content-type');
      if (typeof type === 'string') void reply.header('content-type', type);
      return payload;
    });
    await scope.register(fastifyExpress);
    // With the script that the page above was made with; `/api/docs` is a page to Fastify, not a folder.
    scope.use(root, swaggerUi.serveWithOptions({ redirect: false }));
    scope.get(root, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
    for (const file of files) {
      scope.get(`${root}/${file}`, (_request, reply) => reply.callNotFound());
    }
  });
}

/** Nothing from elsewhere, and nothing written into the page but the styles that it came with. */
function policyFor(page: string): string {
  const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs), ...page.matchAll(/ style="(.*?)"/g)];
  const hashes = styles.map(
    ([, style = '']) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'unsafe-hashes' ${[...new Set(hashes)].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
