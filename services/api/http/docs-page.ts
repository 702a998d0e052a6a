import { createHash } from 'node:crypto';
import fastifyExpress from '@fastify/express';
import type { FastifyInstance } from 'fastify';
import swaggerUi from 'swagger-ui-express';
import { loadWhenAuthorized } from './load-when-authorized.ts';

const root = '/api/docs';

/** The package files that the page loads. The package's own page is not served. */
const files = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-init.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

/** Shown until the API document is loaded. */
const howToBegin = `Choose **Authorize** to see and try the operations, with a password or the key of an API user. The user
must be an administrator, or have a role with the scope \`OpenApi\`.

A signature is valid for only one method and path, so the page does not support HMAC. Use the key of another
API user with the same roles instead.`;

/**
 * Registers the page for reading and trying out the API. The page is public because it contains no data: it starts with
 * `frame`, which describes authentication, and loads the API document with the visitor's session or entered
 * credentials.
 */
export async function registerDocsPage(
  server: FastifyInstance,
  frame: { readonly info?: object },
): Promise<void> {
  const options = {
    customSiteTitle: 'Annals API',
    customCss: '',
    swaggerOptions: {
      // Otherwise a query parameter could make the page load another document.
      url: '',
      // Otherwise the page would send the document's address to a public validator.
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

  // A separate scope, so that no other request passes through Express.
  await server.register(async (scope) => {
    scope.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
      void reply.headers(headers);
      // Express would decode the whole URL, and fail on malformed percent-encoding.
      raw.url = routeOptions.url ?? root;
    });
    // Express sets the content type on the raw response, where Fastify does not see it.
    scope.addHook('onSend', async (_request, reply, payload) => {
      const type = reply.raw.getHeader('content-type');
      if (typeof type === 'string') void reply.header('content-type', type);
      return payload;
    });
    await scope.register(fastifyExpress);
    // Serves the script of the page above. No redirect: Fastify treats `/api/docs` as a page, not a folder.
    scope.use(root, swaggerUi.serveWithOptions({ redirect: false }));
    scope.get(root, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
    for (const file of files) {
      scope.get(`${root}/${file}`, (_request, reply) => reply.callNotFound());
    }
  });
}

/** Allows no content from other hosts, and no inline content except the styles of the generated page. */
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
