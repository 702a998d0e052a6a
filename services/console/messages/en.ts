import account from './en/account.json' with { type: 'json' };
import bin from './en/bin.json' with { type: 'json' };
import board from './en/board.json' with { type: 'json' };
import calendar from './en/calendar.json' with { type: 'json' };
import conflict from './en/conflict.json' with { type: 'json' };
import contact from './en/contact.json' with { type: 'json' };
import contacts from './en/contacts.json' with { type: 'json' };
import convert from './en/convert.json' with { type: 'json' };
import copyAs from './en/copyAs.json' with { type: 'json' };
import dates from './en/dates.json' with { type: 'json' };
import definitions from './en/definitions.json' with { type: 'json' };
import drag from './en/drag.json' with { type: 'json' };
import errors from './en/errors.json' with { type: 'json' };
import event from './en/event.json' with { type: 'json' };
import exports from './en/exports.json' with { type: 'json' };
import fieldTypes from './en/fieldTypes.json' with { type: 'json' };
import forms from './en/forms.json' with { type: 'json' };
import happened from './en/happened.json' with { type: 'json' };
import home from './en/home.json' with { type: 'json' };
import imports from './en/import.json' with { type: 'json' };
import layouts from './en/layouts.json' with { type: 'json' };
import log from './en/log.json' with { type: 'json' };
import many from './en/many.json' with { type: 'json' };
import notifications from './en/notifications.json' with { type: 'json' };
import operators from './en/operators.json' with { type: 'json' };
import overview from './en/overview.json' with { type: 'json' };
import parts from './en/parts.json' with { type: 'json' };
import people from './en/people.json' with { type: 'json' };
import problems from './en/problems.json' with { type: 'json' };
import profile from './en/profile.json' with { type: 'json' };
import recent from './en/recent.json' with { type: 'json' };
import record from './en/record.json' with { type: 'json' };
import records from './en/records.json' with { type: 'json' };
import related from './en/related.json' with { type: 'json' };
import reminders from './en/reminders.json' with { type: 'json' };
import richText from './en/richText.json' with { type: 'json' };
import search from './en/search.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import signIn from './en/signIn.json' with { type: 'json' };
import stream from './en/stream.json' with { type: 'json' };
import system from './en/system.json' with { type: 'json' };
import time from './en/time.json' with { type: 'json' };
import undo from './en/undo.json' with { type: 'json' };
import viewAs from './en/viewAs.json' with { type: 'json' };
import views from './en/views.json' with { type: 'json' };
import webhooks from './en/webhooks.json' with { type: 'json' };

export const messages = {
  ...account,
  ...board,
  ...bin,
  ...calendar,
  ...conflict,
  ...contact,
  ...contacts,
  ...convert,
  ...copyAs,
  ...dates,
  ...definitions,
  ...drag,
  ...errors,
  ...event,
  ...exports,
  ...fieldTypes,
  ...forms,
  ...happened,
  ...home,
  ...imports,
  ...layouts,
  ...log,
  ...many,
  ...notifications,
  ...operators,
  ...overview,
  ...parts,
  ...people,
  ...problems,
  ...profile,
  ...recent,
  ...record,
  ...records,
  ...related,
  ...reminders,
  ...richText,
  ...search,
  ...shell,
  ...signIn,
  ...stream,
  ...system,
  ...time,
  ...undo,
  ...viewAs,
  ...views,
  ...webhooks,
};

export type MessageKey = keyof typeof messages;
