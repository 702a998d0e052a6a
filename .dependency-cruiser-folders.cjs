const { options } = require('./.dependency-cruiser.cjs');

/**
 * Which folders lean on each other. Without the tests, which may use what is above: a folder leads to all that one of
 * its files leads to.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-circular-folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      // What is put together at the top of a service knows its folders, and none of them knows it.
      name: 'nothing-knows-what-puts-it-together',
      severity: 'error',
      from: { path: '^services/([^/]+)/[^/]+/' },
      to: { path: '^services/$1/(?!config[.]ts$)[^/]+[.]ts$' },
    },
    {
      // The same within a folder: the parts of delivery do not know delivery.
      name: 'parts-do-not-know-the-whole',
      severity: 'error',
      from: { path: '^services/([^/]+)/([^/]+)/[^/]+/' },
      to: { path: '^services/$1/$2/[^/]+[.]ts$' },
    },
    {
      // The rule above sees no cycle through a subfolder. Entity definitions and the directory import webhooks.
      name: 'webhooks-import-neither-entities-nor-the-directory',
      severity: 'error',
      from: { path: '^shared/domain/webhook/' },
      to: { path: '^shared/domain/(entity|directory)/' },
    },
  ],
  options: {
    ...options,
    includeOnly: '^(services|shared)/',
    exclude: '[.]test[.]ts$|^services/[^/]+/context[.]ts$',
  },
};
