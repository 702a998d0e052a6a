import definitions from './de/definitions.json' with { type: 'json' };
import fieldTypes from './de/fieldTypes.json' with { type: 'json' };
import happened from './de/happened.json' with { type: 'json' };
import imports from './de/import.json' with { type: 'json' };
import layouts from './de/layouts.json' with { type: 'json' };
import ledger from './de/ledger.json' with { type: 'json' };
import log from './de/log.json' with { type: 'json' };
import overview from './de/overview.json' with { type: 'json' };
import people from './de/people.json' with { type: 'json' };
import profile from './de/profile.json' with { type: 'json' };
import recent from './de/recent.json' with { type: 'json' };
import scim from './de/scim.json' with { type: 'json' };
import singleSignOn from './de/singleSignOn.json' with { type: 'json' };
import system from './de/system.json' with { type: 'json' };
import webhooks from './de/webhooks.json' with { type: 'json' };
import type { PageKey } from './en-pages.ts';

export const messages: Readonly<Record<PageKey, string>> = {
  ...definitions,
  ...fieldTypes,
  ...happened,
  ...imports,
  ...layouts,
  ...ledger,
  ...log,
  ...overview,
  ...people,
  ...profile,
  ...recent,
  ...scim,
  ...singleSignOn,
  ...system,
  ...webhooks,
};
