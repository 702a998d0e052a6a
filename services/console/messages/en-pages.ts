import definitions from './en/definitions.json' with { type: 'json' };
import fieldTypes from './en/fieldTypes.json' with { type: 'json' };
import happened from './en/happened.json' with { type: 'json' };
import imports from './en/import.json' with { type: 'json' };
import layouts from './en/layouts.json' with { type: 'json' };
import ledger from './en/ledger.json' with { type: 'json' };
import log from './en/log.json' with { type: 'json' };
import overview from './en/overview.json' with { type: 'json' };
import people from './en/people.json' with { type: 'json' };
import profile from './en/profile.json' with { type: 'json' };
import recent from './en/recent.json' with { type: 'json' };
import scim from './en/scim.json' with { type: 'json' };
import singleSignOn from './en/singleSignOn.json' with { type: 'json' };
import system from './en/system.json' with { type: 'json' };
import webhooks from './en/webhooks.json' with { type: 'json' };

/** Texts that only some pages show, and that are loaded with them. */
export const messages = {
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

export type PageKey = keyof typeof messages;
